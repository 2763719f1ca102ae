import type { PlannedStep } from '../../../format/model/user-plan.ts';
import type { ValueMap } from '../../../format/model/value.ts';
import type { Briefing } from '../../adapters/agent-under-test.ts';
import { type CallRoute, type Offers, readResourceName } from '../model-offers.ts';

/** A step as a call that the agent can make. Its arguments may still hold values of earlier steps. */
export interface RoutedStep {
  /** The name under which the agent has the tool. */
  readonly label: string;
  readonly arguments: ValueMap;
  readonly route: CallRoute;
}

/** The surroundings in which a step is looked up. */
export interface StepSurroundings {
  readonly offers: Offers;
  /** The endpoints of the actors. */
  readonly endpoints: Briefing['endpoints'];
}

/** The kinds of steps that are calls. */
export type CallStep = Extract<PlannedStep, { kind: 'call' | 'send' | 'frontend' }>;

/** The call of a step, or why the agent cannot make it. */
export function routeStep(step: CallStep, surroundings: StepSurroundings): RoutedStep | { readonly problem: string } {
  const { offers, endpoints } = surroundings;
  const find = (args: ValueMap, problem: string, isMeant: (route: CallRoute) => boolean) => {
    const [label, route] = [...offers.routes].find(([, each]) => isMeant(each)) ?? [];
    return label === undefined || route === undefined ? { problem } : { label, arguments: args, route };
  };
  switch (step.kind) {
    case 'call': {
      const { actor, of, name } = step;
      // A resource can be read even if it is not listed.
      if (of === 'resource')
        return {
          label: readResourceName,
          arguments: { uri: name },
          route: { kind: 'resource', listed: new Map(), first: actor },
        };
      return find(
        step.arguments,
        `${actor} offers no ${of} "${name}"`,
        (route) => route.kind === of && route.server === actor && route.name === name,
      );
    }
    case 'send': {
      const url = endpoints[step.actor]?.url;
      return find(
        { message: step.message, ...(step.metadata !== undefined && { metadata: step.metadata }) },
        `${step.actor} could not be reached`,
        (route) => route.kind === 'agent' && url !== undefined && new URL(route.cardUrl).host === new URL(url).host,
      );
    }
    case 'frontend':
      return find(
        step.arguments,
        `the application offers no tool "${step.tool}"`,
        (route) => route.kind === 'frontend' && route.name === step.tool,
      );
  }
}
