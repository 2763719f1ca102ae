import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { requiredExtensions } from '../registry/a2a/extensions.ts';
import { shorten } from './content-text.ts';

/** The facts that a remote agent's card states. */
export interface AgentSurvey {
  /** The URL of its card, which identifies it. */
  readonly cardUrl: string;
  readonly name: string;
  readonly description: string;
  /** Why nothing is known about it. */
  readonly failure?: string;
}

const longest = 16 * 1024;
const mostSkills = 50;

export function surveyOf(cardUrl: string, card: ValueMap): AgentSurvey {
  const skills = Array.isArray(card.skills) ? (card.skills as readonly Value[]).slice(0, mostSkills) : [];
  const lines = [...skills.filter(isValueMap).map(skillLine), ...requiredExtensions(card).map(extensionLine)];
  const said = textOf(card.description);
  return {
    cardUrl,
    name: textOf(card.name) || 'agent',
    description: shorten(
      lines.length === 0 ? said : `${said}\n\nSkills of this agent:\n${lines.join('\n')}`,
      longest,
    ),
  };
}

function skillLine({ id, name, description, examples }: ValueMap): string {
  const title = textOf(name) || textOf(id);
  const shown = Array.isArray(examples) ? (examples as readonly Value[]).map(textOf).filter(Boolean) : [];
  const such = shown.length === 0 ? '' : ` For example: ${shown.join('; ')}`;
  return `- ${title}: ${textOf(description)}${such}`;
}

/** Names an extension, so that the caller knows what is required of it. */
function extensionLine({ uri, description }: ValueMap): string {
  return `- Extension ${textOf(uri)}: ${textOf(description)}`;
}

function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}
