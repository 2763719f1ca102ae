// Serves the minds of the built-in agents as models named `gullible`, `guarded` and `candid`, so that agents with a framework
// of their own can be attacked without a key, a network or chance: the framework's loop, its MCP client and its
// prompts are real, and only what the model chooses is scripted.
//
//   npx tsx scripts/scripted-model.ts [PORT]
//
// It speaks OpenAI's chat completions and Google's generateContent, both whole and streamed, until it is interrupted.
import { serveScriptedModel } from './scripted-model/serve.ts';

const { url, close } = await serveScriptedModel(Number(process.argv[2] ?? 4010));
console.log(`export OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=none OPENAI_MODEL=gullible
export GOOGLE_GEMINI_BASE_URL=${url} GEMINI_API_KEY=none GEMINI_MODEL=gullible`);
process.once('SIGINT', close).once('SIGTERM', close);
