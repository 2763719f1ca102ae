// Serves the minds of the built-in agents as models named `gullible`, `guarded` and `candid`. With them, agents that use a
// framework can be attacked without a key, a network or chance: the framework's loop, its MCP client and its prompts are
// real, and only the choices of the model are scripted.
import { serveScriptedModel } from './scripted-model/serve.ts';

const help = `Usage: npm run scripted-model -- [PORT]

Serves the models gullible, guarded and candid on 127.0.0.1, at port 4010 unless PORT says otherwise, until Ctrl-C.
They speak OpenAI's chat completions and Google's generateContent, whole and streamed. No key is needed.
The lines that it prints set the variables with which most frameworks find their model.`;

const [typed = '4010'] = process.argv.slice(2);
if (typed === '--help' || typed === '-h') console.log(help);
else if (!/^\d{1,5}$/.test(typed) || Number(typed) > 65_535) {
  console.error(`scripted-model: "${typed}" is not a port\n\n${help}`);
  process.exitCode = 64;
} else await serve(Number(typed));

async function serve(port: number): Promise<void> {
  const { url, close } = await serveScriptedModel(port);
  console.log(`export OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=none OPENAI_MODEL=gullible
export GOOGLE_GEMINI_BASE_URL=${url} GEMINI_API_KEY=none GEMINI_MODEL=gullible`);
  process.once('SIGINT', close).once('SIGTERM', close);
}
