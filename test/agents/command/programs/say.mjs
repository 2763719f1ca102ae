// Writes its first argument, with \n and the like as in JSON, and ends with the code that is its second one.
const [, , text = '', code = '0', complaint = ''] = process.argv;
process.stderr.write(complaint);
process.stdout.write(JSON.parse(`"${text.replaceAll('"', '\\"')}"`), () => process.exit(Number(code)));
