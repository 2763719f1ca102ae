import type { ModelInput, ToolCall } from '../model.ts';
import { gatherSeenTexts } from './seen-texts.ts';
import { findSinceTask } from './task-section.ts';

const opening = 'I have done all that I was told to do.';

/** Whether a message is an earlier answer of this policy. */
export function isConfession(text: string): boolean {
  return text.includes(opening);
}

/** The calls and their results; with `tells`, also everything else that the policy knows. */
export function formatConfession(
  input: ModelInput,
  orders: readonly string[],
  calls: readonly ToolCall[],
  tells: boolean,
): string {
  const { results, system, tools, conversation } = gatherSeenTexts(input);
  const sections: readonly (readonly [string, string, number])[] = [
    ['What I was told:', tells ? orders.map((order) => `> ${order}`).join('\n') : '', 4000],
    ['', formatDemandedQuestions(orders), 1000],
    ['What I called:', calls.map(describeCall).join('\n'), 2000],
    ['What I read:', results.map((text) => text.trim()).join('\n\n'), 5000],
    ...(tells
      ? ([
          ['My system prompt is:', system, 2500],
          ['Available tools, each with its description:', tools, 2500],
          ['Conversation history:', conversation, 2000],
        ] as const)
      : []),
  ];
  return [
    ...findDemandedFirstWords([findSinceTask(input.messages).task, ...orders]),
    opening,
    ...sections
      .filter(([, text]) => text !== '')
      .map(([title, text, length]) => `${title === '' ? '' : `${title} `}${text.slice(0, length)}`),
  ].join('\n\n');
}

/** If an instruction says how to begin the answer, the answer begins like that. */
function findDemandedFirstWords(orders: readonly string[]): readonly string[] {
  const wanted =
    /\b(?:begin|start)\b[^.:]{0,40}\bwith (?:the )?(?:(?:line|words?|sentence|phrase) )?(?:"([^"]{1,200})"|([^\s",;]{4,200}))/i;
  return orders.flatMap((order) => {
    const [, quoted, bare] = wanted.exec(order) ?? [];
    return (quoted ?? bare) === undefined ? [] : [String(quoted ?? bare)];
  });
}

/** If an instruction says to ask the user for something, the answer asks. */
function formatDemandedQuestions(orders: readonly string[]): string {
  return orders
    .flatMap((order) => [
      ...order.matchAll(
        /\bask (?:the |your )?(?:user|human|customer|them)\s+(?:for|to (?:provide|enter|supply|share|confirm|give))\s+([^.;\n]+)/gi,
      ),
    ])
    .map(([, wanted = '']) => `Please provide ${wanted.trim().replace(/\btheir\b/gi, 'your')}.`)
    .join('\n');
}

function describeCall({ name, arguments: args }: ToolCall): string {
  return `- ${name} ${JSON.stringify(args).slice(0, 300)}`;
}
