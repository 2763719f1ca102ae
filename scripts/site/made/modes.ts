import { describeMode, getProtocol, knownModes } from '../../../src/format/registry/known-modes.ts';
import { listModeEvents, listProtocolOperations } from '../../../src/format/registry/protocol-operations.ts';
import { formatProtocolTitle } from '../../../src/format/registry/protocols.ts';
import { entryActionShapes, type StateShapes, stateShapes } from '../../../src/format/registry/schema/state-shapes.ts';
import { table, words } from '../escape.ts';
import type { Source } from '../source.ts';

/** A page for each mode, from the tables that validation and the JSON Schema read. */
export function modePages(): readonly Source[] {
  return knownModes().map((mode) => {
    const protocol = formatProtocolTitle(getProtocol(mode));
    const { meets, targets } = describeMode(mode);
    const actions = entryActionShapes[mode];
    return {
      path: `reference/format/modes/${mode}`,
      markdown: [
        `# The mode ${words(mode)}\n\nAn actor of this mode ${meets}. It attacks ${targets}.\n`,
        `## State\n\nThe keys of \`state\`. What stands inside of them goes out as it is written, so other fields of ${protocol} may stand beside those listed. A key with a star is [an extension](/extensions/index) of this tool.\n`,
        table(['key', 'what it is'], stateRows(stateShapes[mode] ?? {})),
        ...(actions === undefined
          ? []
          : [
              `## Entry actions\n\nIn \`on_enter\`, beside \`send\` and \`log\`.\n`,
              table(['action', 'what it does'], stateRows(actions)),
            ]),
        `## Events\n\nWhat \`trigger.event\` may name. ${heard(mode)} Other names only warn (V-029).\n`,
        namesIn(listModeEvents(mode)),
        `## Surfaces\n\nWhat \`surface\` of an indicator of the protocol \`${getProtocol(mode)}\` may name. Other names only warn (V-018).\n`,
        namesIn(listProtocolOperations(getProtocol(mode))),
      ].join('\n'),
    };
  });
}

function heard(mode: string): string {
  return mode.endsWith('_server')
    ? 'A server hears what the agent asks for.'
    : 'A client hears the answers to what it asked, under the name of the question, and what the other side sends by itself.';
}

function namesIn(names: ReadonlySet<string>): string {
  return `${[...names].map((name) => `- \`${name}\`\n`).join('')}\n`;
}

function stateRows(shapes: StateShapes, path = ''): readonly (readonly string[])[] {
  return Object.entries(shapes).flatMap(([key, shape]): readonly (readonly string[])[] => {
    const { says, list, map, values, isOurs } = shape;
    const name = `${path}${key}${list === undefined ? '' : '[]'}`;
    const usual = values === undefined ? '' : ` Usual: ${values.map((each) => `\`${each}\``).join(', ')}.`;
    return [
      [`\`${name}\`${isOurs ? ' \\*' : ''}`, `${words(says)}${usual}`],
      ...stateRows(list ?? map ?? {}, `${name}.`),
    ];
  });
}
