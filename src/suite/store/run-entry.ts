import type { ProgramFacts, Usage } from '../../agents/adapters/agent-under-test.ts';
import type { RunEntry } from '../../format/model/results-file.ts';
import type { JudgeFacts } from '../play/evaluation.ts';

// Writes facts about a run with the field names of stored results.

export function createUsageEntry({ inputTokens, outputTokens, cost }: Usage): NonNullable<RunEntry['usage']> {
  return { input_tokens: inputTokens, output_tokens: outputTokens, ...(cost !== undefined && { cost }) };
}

export function judgeEntry({ name, questions, usage }: JudgeFacts): NonNullable<RunEntry['judge']> {
  return { name, questions, ...(usage !== undefined && createUsageEntry(usage)) };
}

export function createProgramEntry({ exitCode, ...facts }: ProgramFacts): NonNullable<RunEntry['program']> {
  return { ...(exitCode !== undefined && { exit_code: exitCode }), ...facts };
}
