import type { Mutant } from './mutants-of.ts';

// Mutants that no test needs to notice. They are identified by their text, so that they are found again when lines move.

type Change = readonly [before: Mutant['before'], after: Mutant['after']];

interface Row {
  /** The line in which the changes begin. */
  readonly within: string;
  readonly changes: readonly Change[];
  readonly reason: string;
}

type Rows = { readonly [file: string]: readonly Row[] };

/** Changes that have no effect. */
export const changeNothing: Rows = {
  'src/bindings/a2a/card.ts': [
    {
      within:
        "additionalInterfaces: a2aTransports.map((transport) => ({ url: ours[transport] ?? '', transport })),",
      changes: [["ours[transport] ?? ''", 'ours[transport]']],
      reason: 'each transport has an address; the compiler alone does not know it',
    },
  ],
  'src/bindings/a2a/era-1.ts': [
    {
      within: 'return isValueMap(status) ? status.state : undefined;',
      changes: [['isValueMap(status)', 'true']],
      reason: 'a task has a status; the compiler alone does not know it',
    },
  ],
  'src/bindings/a2a/projector.ts': [
    {
      within:
        "const artifact = { ...(isValueMap(info.artifact) ? info.artifact : {}), parts: [{ kind: 'text', text }] };",
      changes: [['isValueMap(info.artifact)', 'true']],
      reason: 'only updates with an artifact are joined; the compiler alone does not know it',
    },
  ],
  'src/bindings/a2a/push-config.ts': [
    {
      within:
        'const found = wanted === undefined ? configs[0] : configs.find(({ config }) => config.id === wanted);',
      changes: [['find', 'findLast']],
      reason: 'no two configurations of a task have the same id',
    },
  ],
  'src/bindings/a2a/server.ts': [
    {
      within: 'const most = isNumeric(length) ? Number(length) : -1;',
      changes: [['1', '(1 + 1)']],
      reason: 'any number below 0 is no length',
    },
    {
      within: 'const result = items.at(-1) ?? null;',
      changes: [['items.at(-1) ?? null', 'items.at(-1)']],
      reason: 'there is an item; the compiler alone does not know it',
    },
  ],
  'src/bindings/a2a/stream.ts': [
    {
      within: "const made = typeof id === 'string' && typeof contextId === 'string' ? undefined : ids();",
      changes: [
        ["typeof id === 'string' && typeof contextId === 'string'", 'false'],
        ["'string'", "''"],
      ],
      reason: 'ids that are made and not needed are not used',
    },
    {
      within: "contextId: textIn(content, 'contextId') ?? made?.contextId ?? '',",
      changes: [
        [
          "textIn(content, 'contextId') ?? made?.contextId ?? ''",
          "textIn(content, 'contextId') ?? made?.contextId",
        ],
      ],
      reason: 'what is missing was made; the compiler alone does not know it',
    },
  ],
  'src/bindings/a2a/tasks.ts': [
    {
      within: 'return id === undefined ? undefined : tasks.findLast((task) => task.id === id);',
      changes: [['id === undefined', 'false']],
      reason: 'every task that is remembered has an id',
    },
    {
      within: 'return id === undefined ? undefined : tasks.findLast((task) => task.id === id);',
      changes: [['findLast', 'find']],
      reason: 'no two tasks that are remembered have the same id',
    },
    {
      within:
        'const others = tasks.some((other) => other.id === id) ? tasks.filter((other) => other.id !== id) : tasks;',
      changes: [['tasks.some((other) => other.id === id)', 'true']],
      reason: 'a list that has no such task is copied',
    },
  ],
  'src/bindings/ag-ui/conversation.ts': [
    {
      within: 'let spoken = 0;',
      changes: [['0', '(0 + 1)']],
      reason: 'only whether it is the same later counts',
    },
    {
      within: "if (add(messageFor(event, 'message', 'assistant'), event)) spoken += 1;",
      changes: [
        ['+=', '-='],
        ['1', '(1 + 1)'],
      ],
      reason: 'only whether it is the same later counts',
    },
    {
      within: "if (typeof id === 'string') byId.set(id, entry);",
      changes: [["typeof id === 'string'", 'true']],
      reason: 'nobody looks for an id that is no text',
    },
    {
      within: 'const found = parent === undefined ? undefined : byId.get(parent);',
      changes: [['parent === undefined', 'false']],
      reason: 'no message has no id there',
    },
    {
      within: "const message = typeof id === 'string' ? left.get(id) : undefined;",
      changes: [["typeof id === 'string'", 'true']],
      reason: 'messages without an id are not told apart',
    },
    {
      within:
        'for (const { event, method } of events) if (Object.hasOwn(readers, method)) readers[method]?.(event);',
      changes: [['Object.hasOwn(readers, method)', 'true']],
      reason: 'what every object has does nothing with an event',
    },
    {
      within:
        'const declared = new Set(messagesIn({ messages: input.tools ?? [] }).flatMap(({ name }) => name ?? []));',
      changes: [['input.tools ?? []', 'input.tools']],
      reason: 'without a list there are no messages in it, either',
    },
  ],
  'src/bindings/ag-ui/follow-up.ts': [
    {
      within: 'const outcome = outcomeOf(events.at(-1)?.event ?? {});',
      changes: [['events.at(-1)?.event ?? {}', 'events.at(-1)?.event']],
      reason: 'the last event is the end of the run; the compiler alone does not know it',
    },
  ],
  'src/bindings/ag-ui/json-patch.ts': [
    {
      within: 'if (Array.isArray(value)) value = (value as readonly Value[])[indexIn(value, key) ?? -1];',
      changes: [['1', '(1 + 1)']],
      reason: 'there is nothing at any number below 0',
    },
  ],
  'src/bindings/ag-ui/projector.ts': [
    {
      within: 'const key = JSON.stringify([actor, session ?? null]);',
      changes: [['session ?? null', 'session']],
      reason: 'JSON writes null for what is not there',
    },
  ],
  'src/bindings/ag-ui/signs.ts': [
    {
      within: 'return Object.hasOwn(byEvent, method) ? (byEvent[method]?.(content) ?? none) : none;',
      changes: [['byEvent[method]?.(content) ?? none', 'byEvent[method]?.(content)']],
      reason: 'every row gives signs; the compiler alone does not know it',
    },
  ],
  'src/bindings/mcp/interludes.ts': [
    {
      within: 'if ((elicitations ?? sampling_requests ?? progress ?? logging) === undefined) return none;',
      changes: [['(elicitations ?? sampling_requests ?? progress ?? logging) === undefined', 'false']],
      reason: 'without entries nothing is found, only more slowly',
    },
  ],
  'src/bindings/mcp/said-within-2026.ts': [
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
      within: "const said = level === undefined ? '' : `${client} ${stringifyJson(level)}`;",
      changes: [['level === undefined', 'false']],
      reason: 'what is said of no level is not used',
    },
    {
      within: 'const uris: readonly Value[] = Array.isArray(ended.uris) ? ended.uris : [];',
      changes: [['Array.isArray(ended.uris)', 'true']],
      reason: 'we put a list there; the compiler alone does not know it',
    },
  ],
  'src/bindings/mcp/server.ts': [
    {
      within: 'const dispatched = responseFor(tool.entry.responses, request.params ?? {}, fill);',
      changes: [['request.params ?? {}', 'request.params']],
      reason: 'a request without params names no tool, and was answered before',
    },
  ],
  'src/bindings/mcp/versions.ts': [
    {
      within: "return protocol_version < defaultVersion ? 'legacy' : 'modern';",
      changes: [['<', '<=']],
      reason: 'the two were found to differ before',
    },
  ],
  'src/bindings/response-dispatch.ts': [
    {
      within: 'const when = entry.when === undefined ? undefined : fill(entry.when);',
      changes: [['entry.when === undefined', 'false']],
      reason: 'nothing is filled in where there is nothing',
    },
    {
      within:
        'const selected = entry === undefined ? undefined : { entry, index: indices[entries.indexOf(entry)] ?? 0 };',
      changes: [['0', '(0 + 1)']],
      reason: 'the entry is one of the list; the compiler alone does not know it',
    },
  ],
  'src/bindings/served-answers.ts': [
    {
      within: 'if (!/^\\s*[[{]/.test(result)) return [asItStands];',
      changes: [['!/^\\s*[[{]/.test(result)', 'false']],
      reason: 'what is no JSON is not parsed either way, only more slowly',
    },
  ],
  'src/bindings/streams.ts': [
    {
      within: 'if (open.text.length < longestWhole) return held > mostHeld ? makeRoom() : [];',
      changes: [['held > mostHeld', 'true']],
      reason: 'makeRoom gives nothing where there is room',
    },
  ],
  'src/engine/actor-loop.ts': [
    {
      within: 'const ordered = program.phases.some(({ wire }) => wire !== undefined)',
      changes: [['program.phases.some(({ wire }) => wire !== undefined)', 'true']],
      reason: 'without rules no message has an order',
    },
    {
      within: 'if (wire === undefined && cut === undefined) ports.record(record);',
      changes: [['wire === undefined && cut === undefined', 'false']],
      reason: 'the record is put together anew, and is the same',
    },
    {
      within: 'wakes.delete(cancel);',
      changes: [['wakes.delete(cancel);', ';']],
      reason: 'to cancel a timer that has fired does nothing; it is forgotten for the sake of memory',
    },
  ],
  'src/engine/actor.ts': [
    {
      within: 'return own === event ? trigger : { ...trigger, event: own };',
      changes: [['own === event', 'false']],
      reason: 'the trigger is copied, and compiled again',
    },
    {
      within: 'enteredAt: 0,',
      changes: [['0', '(0 + 1)']],
      reason: 'the time is set when the first phase is entered',
    },
  ],
  'src/engine/calls.ts': [
    {
      within: 'call(work, { act, phase: work.phase, isFollowUp: false }, params, {}, { polls });',
      changes: [['false', 'true']],
      reason: 'nothing waits for a poll, whatever it answers',
    },
    {
      within: 'if (!isClientBinding(binding)) return;',
      changes: [
        ['!isClientBinding(binding)', 'false'],
        ['return;', ';'],
      ],
      reason: 'only clients make calls; the compiler alone does not know it',
    },
    {
      within: 'const polling = polls === undefined ? {} : { polls };',
      changes: [['polls === undefined', 'false']],
      reason: 'a call that polls nothing is told by the missing name',
    },
    {
      within: 'const aside = ruled?.rule.deeds.together === true ? { isAside: true as const } : {};',
      changes: [['true', 'false']],
      reason: 'the key counts, whatever its value',
    },
    {
      within: "const given = answer.kind === 'result' ? answer.result : undefined;",
      changes: [["answer.kind === 'result'", 'true']],
      reason: 'an error has no result; the compiler alone does not know it',
    },
  ],
  'src/engine/exchanges.ts': [
    {
      within: 'const keys = isClientBinding(binding) ? undefined : binding.pageKeys;',
      changes: [['isClientBinding(binding)', 'false']],
      reason: 'a client has no keys of pages; the compiler alone does not know it',
    },
  ],
  'src/engine/phases.ts': [
    {
      within: 'const server = isClientBinding(binding) ? undefined : binding;',
      changes: [['isClientBinding(binding)', 'false']],
      reason: 'a client has no entry actions of its own; the compiler alone does not know it',
    },
  ],
  'src/engine/played-actor.ts': [
    {
      within:
        'return [[name, { phase, event: ends.event, count: trigger.eventCount, of: ends.count ?? 1 }] as const];',
      changes: [
        ['1', '(1 + 1)'],
        ['ends.count ?? 1', 'ends.count'],
      ],
      reason: 'a normalized trigger has a count; the compiler alone does not know it',
    },
  ],
  'src/engine/polls.ts': [
    {
      within: 'if (lasting === undefined) return [];',
      changes: [['lasting === undefined', 'false']],
      reason: 'without such work nothing is unfinished; the compiler alone does not know it',
    },
    {
      within: 'return isClientBinding(binding) ? binding.lasting : undefined;',
      changes: [['isClientBinding(binding)', 'true']],
      reason: 'a server has no such work; the compiler alone does not know it',
    },
  ],
  'src/engine/run-end.ts': [
    {
      within: 'if (terminalSince !== undefined)',
      changes: [['terminalSince !== undefined', 'true']],
      reason: 'a time that is not a number is never the first',
    },
    {
      within:
        "if (clientsDoneSince !== undefined) ends.push(['finished', lookOnUntil(facts, clientsDoneSince)]);",
      changes: [['clientsDoneSince !== undefined', 'true']],
      reason: 'a time that is not a number is never the first',
    },
    {
      within: "ends.push(['idle', lastTraffic + Math.max(abandonedMs, graceMs ?? 0)]);",
      changes: [['0', '(0 + 1)']],
      reason: 'the other time is longer',
    },
  ],
  'src/engine/run.ts': [
    {
      within: 'seed: options.seed ?? 0,',
      changes: [['options.seed ?? 0', 'options.seed']],
      reason: 'no seed chooses as 0 does',
    },
    {
      within: 'if (hasAwaits) goOn();',
      changes: [['hasAwaits', 'true']],
      reason: 'nobody waits for a value',
    },
    {
      within: "fail: (message) => end('failed', message),",
      changes: [["'failed'", "''"]],
      reason: 'the error itself makes the run a failed one',
    },
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
      within: 'end(\'failed\', `actor "${name}" cannot be opened: ${messageOf(thrown)}`);',
      changes: [["'failed'", "''"]],
      reason: 'the error itself makes the run a failed one',
    },
    {
      within: "if (stamped.kind === 'connection') lookAgain();",
      changes: [["stamped.kind === 'connection'", 'true']],
      reason: 'the run is looked at more often',
    },
    {
      within: 'const phases = servers.find(({ name }) => name === actor)?.phases ?? [];',
      changes: [['find', 'findLast']],
      reason: 'the names of actors are unique',
    },
  ],
  'src/engine/step.ts': [
    {
      within: 'if (isClientBinding(work.context.binding)) planOpening(work, work.context.binding);',
      changes: [['isClientBinding(work.context.binding)', 'true']],
      reason: 'a server has no opening; the compiler alone does not know it',
    },
    {
      within: 'if (ask !== undefined) missPart(work, ask, message.reason);',
      changes: [['ask !== undefined', 'true']],
      reason: 'no call has such a key; the compiler alone does not know it',
    },
    {
      within: 'const askedIn = work.calls.get(message.ask)?.phase ?? phase;',
      changes: [['work.calls.get(message.ask)?.phase ?? phase', 'work.calls.get(message.ask)?.phase']],
      reason: 'what is undefined is not less than anything',
    },
    {
      within: 'const said = isClientBinding(binding)',
      changes: [['isClientBinding(binding)', 'false']],
      reason: 'to a client nothing is said within; the compiler alone does not know it',
    },
  ],
  'src/engine/wire-order.ts': [
    {
      within: "return { end: { by, when: moments.find((each) => each === when) ?? 'during' } };",
      changes: [['find', 'findLast']],
      reason: 'the words are unique',
    },
    {
      within: 'const failure = grpcFailures.find((each) => each === status);',
      changes: [['find', 'findLast']],
      reason: 'the words are unique',
    },
    {
      within: 'if (from === undefined || to === undefined || to < from) return undefined;',
      changes: [['||', '&&']],
      reason: 'a delay that is not a number is none, either',
    },
    {
      within: 'return (whole(value) ?? 0) >= 200 && Number(value) <= 599;',
      changes: [['0', '(0 + 1)']],
      reason: '1 is no status, either',
    },
    {
      within: 'return (whole(value) ?? 0) >= 200 && Number(value) <= 599;',
      changes: [['whole(value) ?? 0', 'whole(value)']],
      reason: 'what is undefined is no status, either',
    },
    {
      within: ".filter(([name, each]) => isHttpHeader(name, each ?? '')),",
      changes: [["each ?? ''", 'each']],
      reason: 'null is written as a text that HTTP can carry',
    },
  ],
  'src/engine/wire-timing.ts': [
    {
      within: 'timers.delete(cancel);',
      changes: [['timers.delete(cancel);', ';']],
      reason: 'to cancel a timer that has fired does nothing; it is forgotten for the sake of memory',
    },
  ],
  'src/engine/wire.ts': [
    {
      within: 'const nth = work.wire.fitted.get(rule.pointer) ?? 0;',
      changes: [
        ['0', '(0 + 1)'],
        ['work.wire.fitted.get(rule.pointer) ?? 0', 'work.wire.fitted.get(rule.pointer)'],
      ],
      reason: 'the message was counted before; the compiler alone does not know it',
    },
    {
      within: 'const written = from < 0 ? undefined : writtenWire(execution, actor, from);',
      changes: [['from < 0', 'false']],
      reason: 'no phase has this index, so it has no rules',
    },
    {
      within: 'const holds = isValueMap(predicate) && compilePredicate(predicate)(params ?? {});',
      changes: [['params ?? {}', 'params']],
      reason: 'a path finds nothing in nothing, either',
    },
  ],
  'src/engine/work.ts': [
    {
      within: 'hasOwnState: false,',
      changes: [['false', 'true']],
      reason: 'there is always a phase; the compiler alone does not know it',
    },
    {
      within: 'stateFrom: -1,',
      changes: [['1', '(1 + 1)']],
      reason: 'there is always a phase; the compiler alone does not know it',
    },
    {
      within: 'return context.program.phases[index] ?? noPhase;',
      changes: [['context.program.phases[index] ?? noPhase', 'context.program.phases[index]']],
      reason: 'there is always a phase; the compiler alone does not know it',
    },
    {
      within: "const found = 'failure' in extraction ? undefined : extraction.value;",
      changes: [
        ["'failure' in extraction", 'false'],
        ["'failure'", "''"],
      ],
      reason: 'a failure has no value; the compiler alone does not know it',
    },
    {
      within: 'if (!hasTemplate(value)) return value;',
      changes: [['!hasTemplate(value)', 'false']],
      reason: 'a value without templates is filled in as it is',
    },
    {
      within: 'if (deepEquals(next, filled)) break;',
      changes: [
        ['break;', ';'],
        ['deepEquals(next, filled)', 'false'],
      ],
      reason: 'the rounds that are left change nothing',
    },
    {
      within: "if (!hasTemplate(value, '{{response.')) return value;",
      changes: [
        ["'{{response.'", "''"],
        ["!hasTemplate(value, '{{response.')", 'false'],
      ],
      reason: 'a value that reads nothing of itself is filled in as before',
    },
  ],
  'src/evaluate/cel-evaluator.ts': [
    {
      within: 'if (program === undefined) {',
      changes: [['program === undefined', 'true']],
      reason: 'an expression is compiled again and gives the same; the bench holds the time',
    },
    {
      within: 'if (programs.size >= maximumPrograms) programs.clear();',
      changes: [
        ['>=', '>'],
        ['programs.clear();', ';'],
        ['programs.size >= maximumPrograms', 'false'],
        ['programs.size >= maximumPrograms', 'true'],
      ],
      reason:
        'an expression is compiled again and gives the same; what is kept is bounded for the sake of memory',
    },
    {
      within: 'programs.set(expression, program);',
      changes: [['programs.set(expression, program);', ';']],
      reason:
        'an expression is compiled again and gives the same; what is kept is bounded for the sake of memory',
    },
    {
      within: 'const maximumPrograms = 1_000;',
      changes: [['1_000', '(1000 + 1)']],
      reason:
        'an expression is compiled again and gives the same; what is kept is bounded for the sake of memory',
    },
  ],
  'src/evaluate/echoes.ts': [
    {
      within: 'if (finders.length === 0) return undefined;',
      changes: [['finders.length === 0', 'false']],
      reason: 'without finders nothing is found, only more slowly',
    },
  ],
  'src/evaluate/expression.ts': [
    {
      within: "const text = textOf(located.value, 'sorted');",
      changes: [["'sorted'", "''"]],
      reason: 'every order but `own` is sorted',
    },
  ],
  'src/evaluate/indicator.ts': [
    {
      within:
        'return expressionMs === undefined ? compileOnce(pattern) : compilePattern(pattern, expressionMs);',
      changes: [['expressionMs === undefined', 'false']],
      reason: 'a pattern is compiled again and gives the same',
    },
  ],
  'src/evaluate/judged-trace.ts': [
    {
      within: 'const judgeAskedLater: SemanticEvaluator = { evaluate: () => 0 };',
      changes: [['0', '(0 + 1)']],
      reason: 'this score is never used',
    },
    {
      within:
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
        ": evaluationError('semantic_error', `${name}: ${'failure' in reply ? reply.failure : reply.unused}`),",
      changes: [["'failure' in reply", 'true']],
      reason: 'a judge that is not used was told before; the compiler alone does not know it',
    },
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
      within: "const why = said === undefined ? '' : `: ${excerpt(said, 0, 0)}`;",
      changes: [['0', '(0 + 1)']],
      reason: 'an excerpt around the second character begins with the first one, too',
    },
  ],
  'src/evaluate/looked.ts': [
    {
      within: "const target = pattern?.target ?? semantic?.target ?? '';",
      changes: [["pattern?.target ?? semantic?.target ?? ''", 'pattern?.target ?? semantic?.target']],
      reason: 'what is no expression has a target; the compiler alone does not know it',
    },
    {
      within: "const score = outcome.result === 'not_matched' ? outcome.score : undefined;",
      changes: [["outcome.result === 'not_matched'", 'true']],
      reason: 'only a miss is described; the compiler alone does not know it',
    },
  ],
  'src/evaluate/message-view.ts': [
    {
      within: 'resolved.set(target, values);',
      changes: [['resolved.set(target, values);', ';']],
      reason: 'a path is resolved again and gives the same; the bench holds the time',
    },
    {
      within: "text ??= textOf(value, 'sorted');",
      changes: [["'sorted'", "''"]],
      reason: 'every order but `own` is sorted',
    },
    {
      within: "text ??= textOf(value, 'sorted');",
      changes: [['??=', '=']],
      reason: 'a text is made again and is the same; the bench holds the time',
    },
  ],
  'src/evaluate/near-miss.ts': [
    {
      within: "const texts = new Set(wanted.map((value) => textOf(value, 'sorted').toLowerCase()));",
      changes: [["'sorted'", "''"]],
      reason: 'every order but `own` is sorted',
    },
    {
      within: "const text = textOf(value, 'sorted');",
      changes: [["'sorted'", "''"]],
      reason: 'every order but `own` is sorted',
    },
    {
      within:
        'if (literals !== undefined && !literals.some((literal) => lower.includes(literal))) return undefined;',
      changes: [['literals !== undefined && !literals.some((literal) => lower.includes(literal))', 'false']],
      reason: 'the regex is searched for instead, more slowly',
    },
    {
      within: 'test ??= searchOf(anyCase);',
      changes: [['??=', '=']],
      reason: 'the regex is compiled again and gives the same',
    },
  ],
  'src/evaluate/pattern.ts': [
    {
      within: "const path = resolved.path ?? target.path.located(view.message)[index]?.path ?? '';",
      changes: [
        [
          "resolved.path ?? target.path.located(view.message)[index]?.path ?? ''",
          'resolved.path ?? target.path.located(view.message)[index]?.path',
        ],
      ],
      reason: 'every value has a place; the compiler alone does not know it',
    },
  ],
  'src/evaluate/projections.ts': [
    {
      within: 'if (byProtocol.size === 0 && !wantsBody) return undefined;',
      changes: [['byProtocol.size === 0 && !wantsBody', 'false']],
      reason: 'a projector without parts projects nothing, only more slowly',
    },
  ],
  'src/evaluate/semantic.ts': [
    {
      within: "const place = resolved.path ?? places[index]?.path ?? '';",
      changes: [["resolved.path ?? places[index]?.path ?? ''", 'resolved.path ?? places[index]?.path']],
      reason: 'every value has a place; the compiler alone does not know it',
    },
    {
      within: 'if (score > (best[whose]?.score ?? -1)) best[whose] = { score, candidate };',
      changes: [['1', '(1 + 1)']],
      reason: 'no score is below 0',
    },
  ],
  'src/evaluate/suggest-path.ts': [
    {
      within: 'value = fansOut ? ((next as readonly Value[])[0] ?? null) : next;',
      changes: [['(next as readonly Value[])[0] ?? null', '(next as readonly Value[])[0]']],
      reason: 'null has no keys either',
    },
  ],
  'src/evaluate/trace.ts': [
    {
      within: 'if (options.semantic !== undefined)',
      changes: [['options.semantic !== undefined', 'true']],
      reason: 'without an evaluator no judgement is open; the compiler alone does not know it',
    },
    {
      within:
        'if (options.semantic !== undefined) settle(semanticOutcome(semantic, view, options.semantic));',
      changes: [['options.semantic !== undefined', 'true']],
      reason: 'without an evaluator no judgement is open; the compiler alone does not know it',
    },
    {
      within:
        'return surface === undefined ? indicator : { ...indicator, surface: operationName(protocol, surface) };',
      changes: [['surface === undefined', 'false']],
      reason: 'no surface has no other name',
    },
    {
      within: 'const targets = withPaths ? tracks.flatMap(({ projectable }) => projectable ?? []) : [];',
      changes: [['withPaths', 'true']],
      reason: 'views are made, and offered to nobody',
    },
    {
      within: 'view ??= viewMessage(projection.content, {',
      changes: [['??=', '=']],
      reason: 'the same view is made again',
    },
    {
      within: 'const repeated = echoes?.add(record) ?? [];',
      changes: [['echoes?.add(record) ?? []', 'echoes?.add(record)']],
      reason: 'a message without echoes has none',
    },
    {
      within: 'if (spentMs > limits.documentMs) return [];',
      changes: [['spentMs > limits.documentMs', 'false']],
      reason: 'no indicator is run once the time is over',
    },
  ],
  'src/evaluate/track.ts': [
    {
      within: 'outcome.score > (best.score ?? -1)',
      changes: [['1', '(1 + 1)']],
      reason: 'no score is below 0',
    },
  ],
  'src/judge/blanked.ts': [
    {
      within: 'if (paths.length === 0) return value;',
      changes: [['paths.length === 0', 'false']],
      reason: 'a value of which nothing is blanked is copied instead',
    },
  ],
  'src/judge/delivery.ts': [
    {
      within: 'if (faulted.size === 0) return undefined;',
      changes: [['faulted.size === 0', 'false']],
      reason: 'without broken requests none is found, only more slowly',
    },
    {
      within: 'name === undefined ? undefined : faulted.get(keyOf(actor, stringifyJson(name))),',
      changes: [['name === undefined', 'false']],
      reason: 'no broken request is kept under a name that is not there',
    },
    {
      within: 'const tally = actor === undefined ? undefined : tallies.get(actor);',
      changes: [['actor === undefined', 'false']],
      reason: 'no actor is kept under a name that is not there',
    },
    {
      within:
        'const own = ours.length === 0 ? record : { ...record, content: blanked(record.content, ours) };',
      changes: [['ours.length === 0', 'false']],
      reason: 'a record without echoes is copied instead',
    },
    {
      within: 'return stringifyJson((id ?? session ?? null) as Value);',
      changes: [['id ?? session ?? null', 'id ?? session']],
      reason: 'only the compiler asks for a value; any key will do',
    },
  ],
  'src/judge/judge.ts': [
    {
      within: "return { ...rest, result: 'not_matched' };",
      changes: [["'not_matched'", "''"]],
      reason: 'only matches, errors and skipped indicators are counted after this',
    },
  ],
  'src/judge/needs.ts': [
    {
      within: "(phase?.extensions ?? ofExecution)?.[root ?? ''];",
      changes: [["root ?? ''", 'root']],
      reason: 'a pointer has a first part; the compiler alone does not know it',
    },
    {
      within: 'const phases = attack.execution.actors.find(({ name }) => name === actor)?.phases ?? [];',
      changes: [['find', 'findLast']],
      reason: 'the names of actors are unique',
    },
    {
      within: '(best, piece) => (best === undefined || piece.at.length > best.at.length ? piece : best),',
      changes: [['>', '>=']],
      reason: 'two pieces that hold the same place have pointers of different length',
    },
  ],
  'src/judge/outcome.ts': [
    {
      within:
        'const last = arrivals.reduce((latest, arrival) => (arrival.seq > latest.seq ? arrival : latest), {',
      changes: [['>', '>=']],
      reason: 'whatever arrives with one record arrives in the same way',
    },
  ],
  'src/judge/refusal.ts': [
    {
      within: 'const asked = turnedDown.find((each) => each.actor === actor && carries(each, at, written));',
      changes: [['find', 'findLast']],
      reason: 'the last refusal comes after every request that was refused',
    },
  ],
  'src/judge/surfaces.ts': [
    {
      within: "demand: 'payload',",
      changes: [["'payload'", "''"]],
      reason: 'every demand but `reached` asks for the same pieces',
    },
  ],
  'src/judge/task.ts': [
    {
      within: 'if (open === undefined) return undefined;',
      changes: [['open === undefined', 'false']],
      reason: 'a check that is not met and not unmet was not evaluated; the compiler alone does not know it',
    },
    {
      within: "return { state: 'unknown', checks };",
      changes: [["'unknown'", "''"]],
      reason: 'some row of the table always fits; the compiler alone does not know it',
    },
    {
      within: '!isMet(verdicts[index] ?? noVerdict) &&',
      changes: [['verdicts[index] ?? noVerdict', 'verdicts[index]']],
      reason: 'there is a verdict for every check; the compiler alone does not know it',
    },
    {
      within: "const noVerdict: IndicatorVerdict = { indicatorId: '', result: 'skipped' };",
      changes: [["'skipped'", "''"]],
      reason: 'there is a verdict for every check; the compiler alone does not know it',
    },
  ],
  'src/primitives/compact-json.ts': [
    {
      within: 'const difference = point - (right[index] ?? -1);',
      changes: [['1', '(1 + 1)']],
      reason: 'anything below 0 comes before every character',
    },
  ],
  'src/primitives/evaluate-condition.ts': [
    {
      within: 'starts_with: textOperator((text, part) => (text.startsWith(part) ? 0 : -1)),',
      changes: [['1', '(1 + 1)']],
      reason: 'any place below 0 is none',
    },
  ],
  'src/primitives/interpolate-template.ts': [
    {
      within: "if (open > at && template[open - 1] === '\\\\') {",
      changes: [['>', '>=']],
      reason: 'what stands before `at` is a brace or nothing, and no backslash',
    },
    {
      within: "if (!template.includes('{{')) return { text: template, diagnostics: [], unresolved: [] };",
      changes: [["!template.includes('{{')", 'false']],
      reason: 'a text without references is put together from one part',
    },
  ],
  'src/primitives/interpolate-value.ts': [
    {
      within: 'if (!hasTemplate(value)) return { value, diagnostics: [], unresolved: [] };',
      changes: [['!hasTemplate(value)', 'false']],
      reason: 'a value without templates is copied instead; the bench holds the time',
    },
  ],
  'src/primitives/is-blank.ts': [
    {
      within: "return !visible.test(text.includes('\\u001b') ? text.replace(terminalControls, '') : text);",
      changes: [["text.includes('\\u001b')", 'true']],
      reason: 'without an escape character nothing is replaced',
    },
  ],
  'src/primitives/resolve-wildcard-path.ts': [
    {
      within: "const segments = path === '' ? [] : path.split('.', maximumDepth + 1).map(toSegment);",
      changes: [['1', '(1 + 1)']],
      reason: 'a path that is too long stays too long',
    },
  ],
  'src/suite/baseline.ts': [
    {
      within: 'return a < b ? -1 : a > b ? 1 : 0;',
      changes: [['1', '(1 + 1)']],
      reason: 'a sort looks at the sign alone',
    },
    {
      within: 'const status = statuses[version].find((each) => each === item.status);',
      changes: [['find', 'findLast']],
      reason: 'each status is in the list once',
    },
  ],
  'src/suite/folder-lock.ts': [
    {
      within: 'const betweenLooksMs = 10;',
      changes: [['10', '(10 + 1)']],
      reason: 'only the time between two looks',
    },
    {
      within:
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
        "const [, behind = ''] = /^.*\\)([^)]*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];",
      changes: [
        [
          // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
          "/^.*\\)([^)]*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []",
          // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
          "/^.*\\)([^)]*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))",
        ],
      ],
      reason: 'the system always writes the name in parentheses',
    },
  ],
  'src/suite/library-index.ts': [
    {
      within: "const place = join('dist', 'library.json');",
      changes: [
        ["'dist'", "''"],
        ["'library.json'", "''"],
      ],
      reason: 'without the index documents are parsed, only more slowly',
    },
    {
      within: "return folder === undefined ? {} : JSON.parse(readFileSync(join(folder, place), 'utf8'));",
      changes: [["'utf8'", "''"]],
      reason: 'JSON is read from bytes as well',
    },
  ],
  'src/suite/library.ts': [
    {
      within: "return JSON.parse(readFileSync(manifest, 'utf8')).name === 'oatf';",
      changes: [["'utf8'", "''"]],
      reason: 'JSON is read from bytes as well',
    },
  ],
  'src/suite/merge.ts': [
    {
      within:
        'const started = parts.map(({ stored }) => stored.plan.started).sort()[0] ?? first.stored.plan.started;',
      changes: [
        [
          'parts.map(({ stored }) => stored.plan.started).sort()[0] ?? first.stored.plan.started',
          'parts.map(({ stored }) => stored.plan.started).sort()[0]',
        ],
      ],
      reason: 'there is at least one part; the compiler alone does not know it',
    },
  ],
  'src/suite/observe.ts': [
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
      within: "const key = `${method} ${compactJson(withoutMeta(content), 'sorted').slice(0, 4_096)}`;",
      changes: [["'sorted'", "''"]],
      reason: 'everything but `own` is sorted',
    },
  ],
  'src/suite/plan.ts': [
    {
      within: "key: keys[index] ?? '',",
      changes: [["keys[index] ?? ''", 'keys[index]']],
      reason: 'each document has a key; the compiler alone does not know it',
    },
  ],
  'src/suite/play.ts': [
    {
      within: 'admit: isGenerating',
      changes: [['isGenerating', 'true']],
      reason: 'the budget lets messages without generated values through unchanged',
    },
  ],
  'src/suite/read-lines.ts': [
    {
      within: 'parts = [];',
      changes: [['parts = [];', ';']],
      reason: 'what is dropped is held until its line ends, and no more is added to it',
    },
    {
      within: 'if (!dropping && rest.length > 0) parts.push(rest);',
      changes: [['&&', '||']],
      reason: 'what is dropped is held until its line ends, and nothing is made of it',
    },
  ],
  'src/suite/schedule.ts': [
    {
      within: 'pauses.delete(done);',
      changes: [['pauses.delete(done);', ';']],
      reason: 'a pause that is over is ended again, which does nothing',
    },
  ],
  'src/suite/shard.ts': [
    {
      within: 'if (best === undefined) continue;',
      changes: [['continue;', ';']],
      reason: 'the best so far is one of the list; the compiler alone does not know it',
    },
  ],
  'src/suite/token-count.ts': [
    {
      within: 'if (!isMessageRecord(record)) return;',
      changes: [
        ['return;', ';'],
        ['!isMessageRecord(record)', 'false'],
      ],
      reason: 'other records have no protocol, and no view is of none',
    },
  ],
  'src/suite/user.ts': [
    {
      within: 'return door === undefined ? undefined : running()?.doors[door];',
      changes: [['door === undefined', 'false']],
      reason: 'there is no door without a name; the compiler alone does not know it',
    },
  ],
  'src/validate/find-await-violations.ts': [
    {
      within: 'phases.flatMap(({ phase }) => (phase.extractors ?? []).flatMap((each) => each.name ?? [])),',
      changes: [['each.name ?? []', 'each.name']],
      reason: 'an extractor without a name is an error of the format, which is told alone',
    },
    {
      within: 'const others = [...extractorsOf.keys()].flatMap((name) => name ?? []);',
      changes: [['name ?? []', 'name']],
      reason: 'an actor without a name is an error of the format, which is told alone',
    },
    {
      within: "const known = typeof actor === 'string' ? extractorsOf.get(actor) : undefined;",
      changes: [["typeof actor === 'string'", 'true']],
      reason: 'nothing but a text is a key of that map; the compiler alone does not know it',
    },
  ],
  'src/validate/find-wire-violations.ts': [
    {
      within: 'yield* found.reduce((best, each) => (depthOf(each) > depthOf(best) ? each : best));',
      changes: [['>', '>=']],
      reason: 'which of two complaints about the same place is told is for people',
    },
    {
      within: 'return finding?.path.length ?? 0;',
      changes: [
        ['finding?.path.length ?? 0', 'finding?.path.length'],
        ['0', '(0 + 1)'],
      ],
      reason: 'whoever is compared has a complaint; the compiler alone does not know it',
    },
  ],
  'src/validate/payloads.ts': [
    {
      within: "hintFor(Object.keys(item).find((each) => nearest(each, [field])) ?? '', [field]),",
      changes: [['find', 'findLast']],
      reason: 'two keys that are near the same name give the same hint',
    },
    {
      within: 'if (!isValueMap(state)) continue;',
      changes: [
        ['continue;', ';'],
        ['!isValueMap(state)', 'false'],
      ],
      reason: 'nothing but a mapping has the keys that are looked for',
    },
  ],
  'src/validate/places.ts': [
    {
      within:
        'for (const key of directResponseLists) if (isValueMap(state)) yield* listAt(state, key, path);',
      changes: [['isValueMap(state)', 'true']],
      reason: 'nothing but a mapping has the keys that are looked for',
    },
    {
      within: 'if (!isValueMap(state)) return;',
      changes: [
        ['!isValueMap(state)', 'false'],
        ['return;', ';'],
      ],
      reason: 'nothing but a mapping has the keys that are looked for',
    },
    {
      within: "if (value.includes('{{')) found(value, [...path]);",
      changes: [["value.includes('{{')", 'true']],
      reason: 'a text without templates is looked at for nothing',
    },
  ],
  'src/validate/state.ts': [
    {
      within: '(phase.extractors ?? []).flatMap((extractor) => extractor.name ?? []),',
      changes: [['extractor.name ?? []', 'extractor.name']],
      reason: 'names are looked up, and no reference has a name that is not there',
    },
  ],
  'src/validate/validate.ts': [
    {
      within: 'if (index < 0) break;',
      changes: [
        ['index < 0', 'false'],
        ['break;', ';'],
      ],
      reason: 'what is missing comes before its neighbours either way',
    },
    {
      within: 'if (other === undefined) return 1;',
      changes: [['1', '(1 + 1)']],
      reason: 'any number above 0 sorts behind',
    },
  ],
};

/** Changes that we choose not to test. */
export const untested: Rows = {
  'src/primitives/compact-json.ts': [
    {
      within: 'const difference = point - (right[index] ?? -1);',
      changes: [['right[index] ?? -1', 'right[index]']],
      reason: 'a sort that takes NaN for 0 puts the longer key last, too, at least among few keys',
    },
  ],
  'src/primitives/interpolate-template.ts': [
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
      within: 'message: `template reference "${part.name.slice(0, 80)}" does not resolve`,',
      changes: [['80', '(80 + 1)']],
      reason: 'how much of a long name a warning repeats is for people',
    },
  ],
  'src/primitives/parse-duration.ts': [
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
      within: 'message: `${JSON.stringify(text.slice(0, 40))} is not a duration`,',
      changes: [['40', '(40 + 1)']],
      reason: 'how much of a long text a message repeats is for people',
    },
  ],
  'src/suite/library.ts': [
    {
      within: 'if (dirname(at) === at) return undefined;',
      changes: [['dirname(at) === at', 'false']],
      reason: 'a package always has its manifest around it',
    },
  ],
  'src/suite/observe.ts': [
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
      within: "const key = `${method} ${compactJson(withoutMeta(content), 'sorted').slice(0, 4_096)}`;",
      changes: [['4_096', '(4096 + 1)']],
      reason: 'how much of two calls is compared only bounds the memory',
    },
  ],
  'src/suite/run-lines.ts': [
    {
      within: 'this.#syncing ??= this.#sync();',
      changes: [['this.#syncing ??= this.#sync();', ';']],
      reason: 'only a crash of the machine would tell',
    },
    {
      within: 'this.#syncing = undefined;',
      changes: [['this.#syncing = undefined;', ';']],
      reason: 'only a crash of the machine would tell',
    },
  ],
  'src/suite/user.ts': [
    {
      within: "return 'url' in said ? said : { url: '' };",
      changes: [["'url' in said", 'true']],
      reason: 'either way there is no address, and the run fails when it speaks',
    },
  ],
  'src/suite/write-owned.ts': [
    {
      within: 'fsyncSync(file);',
      changes: [['fsyncSync(file);', ';']],
      reason: 'only a crash of the machine would tell',
    },
  ],
};

export interface Survivor extends Pick<Row, 'reason'> {
  readonly isEquivalent: boolean;
}

export function knownSurvivor(mutant: Mutant): Survivor | undefined {
  for (const rows of [changeNothing, untested]) {
    const known = rows[mutant.file]?.find(
      ({ within, changes }) =>
        within === mutant.within &&
        changes.some(([before, after]) => before === mutant.before && after === mutant.after),
    );
    if (known !== undefined) return { reason: known.reason, isEquivalent: rows === changeNothing };
  }
  return undefined;
}
