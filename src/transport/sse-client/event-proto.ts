// The events of AG-UI 1.0 in protobuf. Names and numbers are the protocol's; the text is read when the first such
// stream comes.

export const eventProto = `
message BaseEvent {
  int32 type = 1;
  int64 timestamp = 2;
  Value raw_event = 3;
  Struct metadata = 4;
}

message TextMessageStartEvent {
  BaseEvent base_event = 1;
  string message_id = 2;
  string role = 3;
  string name = 4;
  string subagent_run_id = 5;
}

message TextMessageContentEvent {
  BaseEvent base_event = 1;
  string message_id = 2;
  string delta = 3;
  string subagent_run_id = 4;
}

message TextMessageEndEvent {
  BaseEvent base_event = 1;
  string message_id = 2;
  string subagent_run_id = 3;
}

message TextMessageChunkEvent {
  BaseEvent base_event = 1;
  string message_id = 2;
  string role = 3;
  string delta = 4;
  string name = 5;
  string subagent_run_id = 6;
}

message ToolCallStartEvent {
  BaseEvent base_event = 1;
  string tool_call_id = 2;
  string tool_call_name = 3;
  string parent_message_id = 4;
  string subagent_run_id = 5;
}

message ToolCallArgsEvent {
  BaseEvent base_event = 1;
  string tool_call_id = 2;
  string delta = 3;
  string subagent_run_id = 4;
}

message ToolCallEndEvent {
  BaseEvent base_event = 1;
  string tool_call_id = 2;
  string subagent_run_id = 3;
}

message ToolCallChunkEvent {
  BaseEvent base_event = 1;
  string tool_call_id = 2;
  string tool_call_name = 3;
  string parent_message_id = 4;
  string delta = 5;
  string subagent_run_id = 6;
}

message ToolCallResultEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string message_id = 3;
  string tool_call_id = 4;
  string content = 5;
  string role = 6;
  repeated InputContent content_parts = 7;
}

message StateSnapshotEvent {
  BaseEvent base_event = 1;
  Value snapshot = 2;
  string subagent_run_id = 3;
}

message StateDeltaEvent {
  BaseEvent base_event = 1;
  repeated JsonPatchOperation delta = 2;
  string subagent_run_id = 3;
}

message MessagesSnapshotEvent {
  BaseEvent base_event = 1;
  repeated Message messages = 2;
}

message ActivitySnapshotEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string message_id = 3;
  string activity_type = 4;
  Struct content = 5;
  bool replace = 6;
}

message ActivityDeltaEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string message_id = 3;
  string activity_type = 4;
  repeated JsonPatchOperation patch = 5;
}

message RawEvent {
  BaseEvent base_event = 1;
  Value event = 2;
  string source = 3;
  string subagent_run_id = 4;
}

message CustomEvent {
  BaseEvent base_event = 1;
  string name = 2;
  Value value = 3;
  string subagent_run_id = 4;
}

message RunStartedEvent {
  BaseEvent base_event = 1;
  string thread_id = 2;
  string run_id = 3;
  string parent_run_id = 4;
  RunAgentInput input = 5;
  string protocol_version = 6;
}

message RunFinishedEvent {
  BaseEvent base_event = 1;
  string thread_id = 2;
  string run_id = 3;
  Value result = 4;
  string outcome = 5;
  repeated Interrupt interrupts = 6;
  repeated Usage usage = 7;
  repeated string pending_tool_call_ids = 8;
}

message RunErrorEvent {
  BaseEvent base_event = 1;
  string code = 2;
  string message = 3;
  repeated Usage usage = 4;
}

message StepStartedEvent {
  BaseEvent base_event = 1;
  string step_name = 2;
  string subagent_run_id = 3;
}

message StepFinishedEvent {
  BaseEvent base_event = 1;
  string step_name = 2;
  string subagent_run_id = 3;
}

message ReasoningStartEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string message_id = 3;
}

message ReasoningMessageStartEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string message_id = 3;
  string role = 4;
}

message ReasoningMessageContentEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string message_id = 3;
  string delta = 4;
}

message ReasoningMessageEndEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string message_id = 3;
}

message ReasoningMessageChunkEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string message_id = 3;
  string delta = 4;
}

message ReasoningEndEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string message_id = 3;
}

message ReasoningEncryptedValueEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string subtype = 3;
  string entity_id = 4;
  string encrypted_value = 5;
}

message SubagentStartedEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string name = 3;
  string description = 4;
  string parent_subagent_run_id = 5;
  string parent_tool_call_id = 6;
  string parent_message_id = 7;
}

message SubagentFinishedEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  Value result = 3;
  string outcome = 4;
  repeated string interrupt_ids = 5;
}

message SubagentErrorEvent {
  BaseEvent base_event = 1;
  string subagent_run_id = 2;
  string message = 3;
  string code = 4;
}

message Event {
  TextMessageStartEvent text_message_start = 1;
  TextMessageContentEvent text_message_content = 2;
  TextMessageEndEvent text_message_end = 3;
  ToolCallStartEvent tool_call_start = 4;
  ToolCallArgsEvent tool_call_args = 5;
  ToolCallEndEvent tool_call_end = 6;
  StateSnapshotEvent state_snapshot = 7;
  StateDeltaEvent state_delta = 8;
  MessagesSnapshotEvent messages_snapshot = 9;
  RawEvent raw = 10;
  CustomEvent custom = 11;
  RunStartedEvent run_started = 12;
  RunFinishedEvent run_finished = 13;
  RunErrorEvent run_error = 14;
  StepStartedEvent step_started = 15;
  StepFinishedEvent step_finished = 16;
  TextMessageChunkEvent text_message_chunk = 17;
  ToolCallChunkEvent tool_call_chunk = 18;
  SubagentStartedEvent subagent_started = 19;
  SubagentFinishedEvent subagent_finished = 20;
  SubagentErrorEvent subagent_error = 21;
  ToolCallResultEvent tool_call_result = 22;
  ActivitySnapshotEvent activity_snapshot = 23;
  ActivityDeltaEvent activity_delta = 24;
  ReasoningStartEvent reasoning_start = 25;
  ReasoningMessageStartEvent reasoning_message_start = 26;
  ReasoningMessageContentEvent reasoning_message_content = 27;
  ReasoningMessageEndEvent reasoning_message_end = 28;
  ReasoningMessageChunkEvent reasoning_message_chunk = 29;
  ReasoningEndEvent reasoning_end = 30;
  ReasoningEncryptedValueEvent reasoning_encrypted_value = 31;
}

message Usage {
  string provider = 1;
  string model = 2;
  int64 input_tokens = 3;
  int64 output_tokens = 4;
  int64 total_tokens = 5;
  int64 reasoning_tokens = 6;
  int64 cached_input_tokens = 7;
  int64 cache_write_input_tokens = 8;
}

message TextInputPart {
  string text = 1;
  string id = 2;
  Value metadata = 3;
}

message ImageInputPart {
  InputContentSource source = 1;
  Value metadata = 2;
  string id = 3;
}

message InputContentDataSource {
  string value = 1;
  string mime_type = 2;
}

message InputContentUrlSource {
  string value = 1;
  string mime_type = 2;
}

message InputContentFileSource {
  string value = 1;
  string provider = 2;
  string mime_type = 3;
}

message InputContentSource {
  InputContentDataSource data = 1;
  InputContentUrlSource url = 2;
  InputContentFileSource file = 3;
}

message AudioInputPart {
  InputContentSource source = 1;
  Value metadata = 2;
  string id = 3;
}

message VideoInputPart {
  InputContentSource source = 1;
  Value metadata = 2;
  string id = 3;
}

message DocumentInputPart {
  InputContentSource source = 1;
  Value metadata = 2;
  string id = 3;
}

message InputContent {
  TextInputPart text = 1;
  ImageInputPart image = 2;
  AudioInputPart audio = 3;
  VideoInputPart video = 4;
  DocumentInputPart document = 5;
}

message ToolCall {
  string id = 1;
  string type = 2;
  ToolCall_Function function = 3;
  Struct metadata = 4;
  string encrypted_value = 5;
}

message ToolCall_Function {
  string name = 1;
  string arguments = 2;
}

message Message {
  string id = 1;
  string role = 2;
  string content = 3;
  string name = 4;
  repeated ToolCall tool_calls = 5;
  string tool_call_id = 6;
  string error = 7;
  repeated InputContent content_parts = 8;
  Struct metadata = 9;
  string subagent_run_id = 10;
  string encrypted_value = 11;
  string activity_type = 12;
  Struct activity_content = 13;
}

message Tool {
  string name = 1;
  string description = 2;
  Value parameters = 3;
  Struct metadata = 4;
}

message Context {
  string description = 1;
  string value = 2;
}

message ResumeEntry {
  string interrupt_id = 1;
  string status = 2;
  Value payload = 3;
  Struct metadata = 4;
}

message RunAgentInput {
  string thread_id = 1;
  string run_id = 2;
  string parent_run_id = 3;
  Value state = 4;
  repeated Message messages = 5;
  repeated Tool tools = 6;
  repeated Context context = 7;
  Value forwarded_props = 8;
  repeated ResumeEntry resume = 9;
  string protocol_version = 10;
}

message Interrupt {
  string id = 1;
  string reason = 2;
  string message = 3;
  string tool_call_id = 4;
  Value response_schema = 5;
  string expires_at = 6;
  Value metadata = 7;
  string subagent_run_id = 8;
}

message JsonPatchOperation {
  int32 op = 1;
  string path = 2;
  string from = 3;
  Value value = 4;
}
`;
