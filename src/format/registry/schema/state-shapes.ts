import type { Mode } from '../../model/enumeration-types.ts';

// The content of `state` by mode, for authors: an editor offers these keys and explains them. Only the structural keys are
// the format's. What they contain belongs to the protocol, so nothing is forbidden there.

export interface StateShape {
  readonly says: string;
  /** The shapes of its entries (`list`) or of its fields (`map`). */
  readonly list?: StateShapes;
  readonly map?: StateShapes;
  /** Common values. Others are allowed. */
  readonly values?: readonly string[];
  /** Set if it holds dot-paths with conditions. */
  readonly isPredicate?: true;
  /** Set for a key that OATF does not define and this tool supports. */
  readonly isOurs?: true;
}

export type StateShapes = { readonly [key: string]: StateShape };

const text = (says: string): StateShape => ({ says });
const oneOf = (says: string, ...values: readonly string[]): StateShape => ({ says, values });
const list = (says: string, of: StateShapes): StateShape => ({ says, list: of });
const map = (says: string, of: StateShapes): StateShape => ({ says, map: of });
const markAsOurs = (shape: StateShape): StateShape => ({ ...shape, isOurs: true });

const when: StateShape = {
  says: 'Holds for requests whose fields, by dot-path, equal these values or satisfy these operators. Entries are tried in order.',
  isPredicate: true,
};
const synthesize: StateShape = text('Reserved for a later version of the format.');
const meta: StateShape = text('MCP’s own metadata, sent as written.');

const contentItem: StateShapes = {
  type: oneOf('Kind of content.', 'text', 'image', 'audio', 'resource', 'resource_link'),
  text: text('The text; templates are filled in.'),
  data: text('Image or audio data in base64.'),
  mimeType: text('MIME type of the data.'),
  resource: text('The embedded resource.'),
  uri: text('Where a link leads.'),
};

const defineInfo = (says: string): StateShape =>
  map(says, {
    name: text('Name of the program.'),
    version: text('Its version.'),
    title: text('Name for people.'),
  });

const tools = list('Tools: what tools/list gives and tools/call answers.', {
  name: text('Name, by which calls find the tool.'),
  title: text('Name for people.'),
  description: text('Description that the agent’s model reads.'),
  inputSchema: map('JSON Schema of the arguments.', {
    type: oneOf('Always object.', 'object'),
    properties: text('The arguments by name; the model reads their descriptions too.'),
    required: text('Names of required arguments.'),
  }),
  outputSchema: text('JSON Schema of structuredContent.'),
  annotations: map('Hints to the client.', {
    title: text('Name for people.'),
    readOnlyHint: text('Whether the tool changes nothing.'),
    destructiveHint: text('Whether the tool may destroy data.'),
    idempotentHint: text('Whether a second call changes nothing more.'),
    openWorldHint: text('Whether the tool reaches external systems.'),
  }),
  icons: text('Icons.'),
  _meta: meta,
  responses: list('Answers to tools/call: the first entry whose `when` holds, else the one without.', {
    when,
    content: map('The result of tools/call.', {
      content: list('Content items.', contentItem),
      isError: text('Whether the call failed.'),
      structuredContent: text('The result as data.'),
    }),
    isError: text('Whether the call failed.'),
    structuredContent: text('The result as data.'),
    _meta: meta,
    task: markAsOurs(
      map('Answers with a task of MCP 2026-07-28.', {
        statusMessage: text('Status message of the task.'),
        polls: text('Number of times that tasks/get reports it as working.'),
        pollIntervalMs: text('How often the client should ask.'),
        ttlMs: text('How long the task is kept.'),
      }),
    ),
    synthesize,
  }),
});

const mcpServer: StateShapes = {
  protocol_version: oneOf('Version of MCP. Default: 2025-11-25.', '2025-11-25', '2026-07-28', '2024-11-05'),
  server_info: defineInfo('Name and version that the server gives.'),
  instructions: text('Instructions of the server, which reach the agent’s model before any call.'),
  capabilities: text('Capabilities, sent as written. Default: tools, resources and prompts.'),
  tools,
  resources: list('Resources: what resources/list gives and resources/read answers.', {
    uri: text('URI, by which reads find the resource.'),
    name: text('Name.'),
    title: text('Name for people.'),
    description: text('Description.'),
    mimeType: text('Kind of content.'),
    size: text('Size in bytes.'),
    annotations: text('Hints to the client.'),
    _meta: meta,
    content: map('What resources/read gives.', {
      text: text('The text; templates are filled in.'),
      blob: text('The bytes, in base64.'),
    }),
  }),
  resource_templates: list('Templates: what resources/templates/list gives.', {
    uriTemplate: text('URI with variables (RFC 6570).'),
    name: text('Name.'),
    description: text('Description.'),
    mimeType: text('Kind of content.'),
  }),
  prompts: list('Prompts: what prompts/list gives and prompts/get answers.', {
    name: text('Name, by which prompts/get finds the prompt.'),
    title: text('Name for people.'),
    description: text('What it is for.'),
    arguments: list('Its arguments.', {
      name: text('Name.'),
      description: text('Description.'),
      required: text('Whether it is required.'),
    }),
    responses: list('Answers to prompts/get: the first entry whose `when` holds, else the one without.', {
      when,
      messages: list('The messages of the prompt.', {
        role: oneOf('Role of the sender.', 'user', 'assistant'),
        content: map('Content of the message.', contentItem),
      }),
      content: text('The whole result of prompts/get.'),
      description: text('Description in the result.'),
      _meta: meta,
      synthesize,
    }),
  }),
  elicitations: list('Questions to the user, asked while a call is being answered.', {
    when,
    message: text('The question.'),
    mode: oneOf('form, or a page to open.', 'form', 'url'),
    requestedSchema: text('JSON Schema of the form.'),
    elicitationId: text('Id of a question by URL. Default: a new id.'),
    url: text('The page to open.'),
    _meta: meta,
  }),
  sampling_requests: markAsOurs(
    list('Questions to the agent’s model (sampling/createMessage), asked while a call is being answered.', {
      when,
      messages: text('The messages.'),
      systemPrompt: text('A system prompt.'),
      maxTokens: text('How long the answer may be.'),
    }),
  ),
  progress: markAsOurs(
    list('Progress, sent before the answer to calls that carry a token.', {
      when,
      values: list('What is sent, in order.', {
        progress: text('Progress so far.'),
        total: text('Total amount.'),
        message: text('What is going on.'),
      }),
    }),
  ),
  logging: markAsOurs(
    list('Log messages (notifications/message), sent before the answer to a call.', {
      when,
      level: oneOf('Level.', 'debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'),
      logger: text('Who logs.'),
      data: text('What is logged.'),
      _meta: meta,
    }),
  ),
  caching: markAsOurs(
    map('How long clients of MCP 2026-07-28 may cache results.', {
      ttlMs: text('Milliseconds. Default: 0.'),
      cacheScope: oneOf('Who may share it. Default: private.', 'private', 'public'),
    }),
  ),
};

const mcpClient: StateShapes = {
  protocol_version: markAsOurs(oneOf('Version of MCP that is offered.', '2025-11-25', '2026-07-28', '2024-11-05')),
  client_info: defineInfo('Name and version that the client gives.'),
  capabilities: text('Capabilities, sent as written. Default: roots.'),
  actions: list('Requests, sent one after another.', {
    method: oneOf(
      'Method.',
      'tools/list',
      'tools/call',
      'resources/list',
      'resources/read',
      'prompts/list',
      'prompts/get',
    ),
    params: text('Parameters, sent as written; templates are filled in.'),
    headers: markAsOurs(text('Headers of the HTTP request that carries it.')),
  }),
  sampling_responses: list('Answers to sampling/createMessage.', {
    when,
    content: text('The result.'),
    synthesize,
  }),
  elicitation_responses: list('Answers to elicitation/create.', {
    when,
    action: oneOf('What the user does. Default: accept.', 'accept', 'decline', 'cancel'),
    content: text('What the user fills in.'),
    synthesize,
  }),
  roots: list('What roots/list gives.', { uri: text('URI.'), name: text('Name.') }),
};

const part: StateShapes = {
  kind: oneOf('Kind of part.', 'text', 'file', 'data'),
  text: text('The text.'),
  file: text('The file.'),
  data: text('The data.'),
};

const message: StateShapes = {
  kind: oneOf('Always message.', 'message'),
  role: oneOf('Role of the sender.', 'user', 'agent'),
  parts: list('Content of the message.', part),
  messageId: text('Id.'),
  taskId: text('Task that it belongs to.'),
  contextId: text('Conversation that it belongs to.'),
};

const a2aServer: StateShapes = {
  agent_card: map('The card, sent as written.', {
    name: text('Name of the agent.'),
    description: text('What it does; other agents read it to choose.'),
    url: text('URL of the agent. Default: our own address.'),
    version: text('Its version.'),
    protocolVersion: text('Version of A2A.'),
    provider: text('Who provides it.'),
    capabilities: map('Capabilities.', {
      streaming: text('Whether message/stream works.'),
      pushNotifications: text('Whether it sends push notifications.'),
    }),
    defaultInputModes: text('Kinds of input.'),
    defaultOutputModes: text('Kinds of output.'),
    skills: list('What it offers to do.', {
      id: text('Id.'),
      name: text('Name.'),
      description: text('What the skill does; other agents read it to choose.'),
      tags: text('Tags.'),
      examples: text('Example requests.'),
    }),
  }),
  task_responses: list('Answers to message/send and message/stream.', {
    when,
    content: map('A task or a message, sent as written.', {
      kind: oneOf('Type of the response.', 'task', 'message'),
      id: text('Id of the task.'),
      contextId: text('Id of the conversation.'),
      status: map('Status of the task.', {
        state: oneOf('State.', 'completed', 'working', 'input-required', 'failed', 'rejected', 'canceled'),
        message: map('Message of the agent about the status.', message),
        timestamp: text('Time of the status.'),
      }),
      artifacts: list('Results of the task.', {
        artifactId: text('Id.'),
        name: text('Name.'),
        description: text('Description.'),
        parts: list('Its parts.', part),
      }),
      history: list('Messages so far.', message),
      role: oneOf('Sender, if it is a message.', 'agent', 'user'),
      parts: list('Content, if it is a message.', part),
      messageId: text('Id, if it is a message.'),
      metadata: text('Metadata.'),
    }),
    stream: markAsOurs(
      list('The items of a stream, sent in this order and as written.', {
        task: text('A task.'),
        message: text('A message.'),
        statusUpdate: text('A change of status.'),
        artifactUpdate: text('An artifact.'),
      }),
    ),
    synthesize,
  }),
};

const a2aClient: StateShapes = {
  actions: list('Operations, performed one after another.', {
    method: oneOf('Operation.', 'message/send', 'message/stream', 'agent_card/get', 'tasks/get', 'tasks/cancel'),
    params: map('Parameters, sent as written; templates are filled in.', {
      message: map('The message.', message),
      configuration: text('How it is to be handled.'),
      metadata: text('Metadata.'),
    }),
  }),
};

const agUiClient: StateShapes = {
  run_agent_input: map('What the user’s application submits.', {
    threadId: text('Id of the conversation.'),
    runId: text('Id of the run.'),
    messages: list('The conversation so far, the newest last.', {
      id: text('Id.'),
      role: oneOf('Role of the sender.', 'user', 'assistant', 'system', 'developer', 'tool'),
      content: text('Content of the message.'),
      name: text('Name of the sender.'),
      toolCalls: text('Calls that the assistant made.'),
      toolCallId: text('Call that a tool answers.'),
    }),
    tools: list('Tools of the application, which the agent may call.', {
      name: text('Name.'),
      description: text('Description that the agent’s model reads.'),
      parameters: text('JSON Schema of its arguments.'),
    }),
    context: list('What the application tells its agent.', {
      description: text('Description.'),
      value: text('The text.'),
    }),
    state: text('State that is shared with the agent.'),
    forwardedProps: text('What the application passes along.'),
    resume: text('Answers to interrupts.'),
    synthesize,
  }),
  tool_responses: list('Results of calls of the application’s tools.', {
    when,
    content: text('The result.'),
    synthesize,
  }),
  interrupt_responses: markAsOurs(
    list('Answers to interrupts.', {
      when,
      status: oneOf('What the user does. Default: resolved.', 'resolved', 'cancelled'),
      payload: text('The answer.'),
      interruptId: text('Used in place of the real id.'),
      metadata: text('Metadata.'),
    }),
  ),
  as_written: markAsOurs(text('true: `run_agent_input` is sent exactly as written.')),
};

export const stateShapes: { readonly [mode: Mode]: StateShapes } = {
  mcp_server: mcpServer,
  mcp_client: mcpClient,
  a2a_server: a2aServer,
  a2a_client: a2aClient,
  ag_ui_client: agUiClient,
};

/** Entry actions besides `send` and `log`. */
export const entryActionShapes: { readonly [mode: Mode]: StateShapes } = {
  mcp_server: {
    send_within_response: markAsOurs(
      map('Sent on the stream of the next response.', {
        method: text('Method.'),
        params: text('Parameters, sent as written.'),
      }),
    ),
    ask_in_any_result: markAsOurs(
      map('Asked in the result of the next request, of any kind.', {
        method: oneOf('Method.', 'elicitation/create', 'sampling/createMessage', 'roots/list'),
        params: text('Parameters, sent as written.'),
      }),
    ),
  },
  a2a_server: {
    send_push_notification: map('Posted to a push notification endpoint.', {
      url: text('Address: an endpoint that the client has configured.'),
      payload: map('One of these.', {
        task: text('A task.'),
        message: text('A message.'),
        statusUpdate: text('A change of status.'),
        artifactUpdate: text('An artifact.'),
      }),
    }),
  },
};
