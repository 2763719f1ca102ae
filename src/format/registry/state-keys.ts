// The structural keys of `state`, by mode (format spec §7.1.4, §7.1.5, §7.2.4, §7.2.5, §7.3). What they contain belongs to
// the protocol and passes through.
const keysByMode: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'mcp_server',
    [
      'protocol_version',
      'server_info',
      'instructions',
      'capabilities',
      'tools',
      'resources',
      'resource_templates',
      'prompts',
      'elicitations',
    ],
  ],
  ['mcp_client', ['client_info', 'capabilities', 'actions', 'sampling_responses', 'elicitation_responses', 'roots']],
  ['a2a_server', ['agent_card', 'task_responses']],
  ['a2a_client', ['actions']],
  ['ag_ui_client', ['run_agent_input', 'tool_responses']],
]);

/** Keys that OATF 0.1 does not define but this tool supports (docs/extensions/README.md). */
const extensionsByMode: ReadonlyMap<string, readonly string[]> = new Map([
  ['mcp_server', ['sampling_requests', 'progress', 'logging', 'caching']],
  ['mcp_client', ['protocol_version']],
  ['ag_ui_client', ['interrupt_responses', 'as_written']],
]);

export function isStateExtension(mode: string, key: string): boolean {
  return extensionsByMode.get(mode)?.includes(key) ?? false;
}

/** The state keys of a mode; undefined for a mode that no included binding defines. */
export function listStateKeys(mode: string): readonly string[] | undefined {
  return keysByMode.get(mode);
}
