// Writes its first argument, with \n and similar escapes as in JSON, and exits with the code of its second argument.
const [, , text = '', code = '0', complaint = ''] = process.argv;
process.stderr.write(complaint);
process.stdout.write(JSON.parse(`"${text.replaceAll('"', '\\"')}"`), () => process.exit(Number(code)));
