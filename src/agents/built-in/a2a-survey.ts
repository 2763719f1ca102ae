import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { listRequiredExtensions } from '../../format/registry/a2a/a2a-era.ts';
import { shortenContent } from './content-text.ts';

/** The facts that a remote agent's card states. */
export interface AgentSurvey {
  /** The URL of its card, which identifies it. */
  readonly cardUrl: string;
  readonly name: string;
  readonly description: string;
  /** The card itself. */
  readonly card?: ValueMap | undefined;
  /** Why nothing is known about it. */
  readonly failure?: string;
}

const longest = 16 * 1024;
const mostSkills = 50;

export function summarizeCard(cardUrl: string, card: ValueMap): AgentSurvey {
  const skills = Array.isArray(card.skills) ? (card.skills as readonly Value[]).slice(0, mostSkills) : [];
  const lines = [...skills.filter(isValueMap).map(formatSkill), ...listRequiredExtensions(card).map(formatExtension)];
  const purpose = toTextOrEmpty(card.description);
  return {
    cardUrl,
    card,
    name: toTextOrEmpty(card.name) || 'agent',
    description: shortenContent(
      lines.length === 0 ? purpose : `${purpose}\n\nSkills of this agent:\n${lines.join('\n')}`,
      longest,
    ),
  };
}

function formatSkill({ id, name, description, examples }: ValueMap): string {
  const title = toTextOrEmpty(name) || toTextOrEmpty(id);
  const samples = Array.isArray(examples) ? (examples as readonly Value[]).map(toTextOrEmpty).filter(Boolean) : [];
  const such = samples.length === 0 ? '' : ` For example: ${samples.join('; ')}`;
  return `- ${title}: ${toTextOrEmpty(description)}${such}`;
}

/** Names an extension, so that the caller knows what is required of it. */
function formatExtension({ uri, description }: ValueMap): string {
  return `- Extension ${toTextOrEmpty(uri)}: ${toTextOrEmpty(description)}`;
}

function toTextOrEmpty(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}
