// The pages of the site in reading order. The build fails if a page of docs/ is missing here.

export interface Entry {
  /** A page: a file of the repository, or the path of a generated page. */
  readonly of: string;
  /** The title in the menu, if the page's own title is too long. */
  readonly title?: string;
  /** Pages that the menu shows below this one, only while one of them is open. */
  readonly below?: string;
}

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const page = (of: string, title?: string): Entry => ({
  of: `docs/${of}.md`,
  ...(title !== undefined && { title }),
});
const made = (of: string, title: string): Entry => ({ of, title });

export const sections: readonly Section[] = [
  {
    title: 'Guide',
    entries: [
      page('README', 'Start here'),
      page('first-attack', 'First attack in ten minutes'),
      page('writing', 'From an idea to a test'),
      page('first-document', 'A first document, command by command'),
      page('judging-acts', 'Indicators that judge acts'),
      page('marks', 'Marks and the benign twin'),
      page('tasks', 'Tasks'),
      page('recording', 'Record and poison'),
      page('editors', 'Editors'),
      page('converting', 'Documents of ThoughtJack'),
      { of: 'scenarios/README.md', title: 'The attack library', below: 'library/' },
    ],
  },
  {
    title: 'Format',
    entries: [
      page('format/README', 'Overview'),
      page('format/envelope', 'The envelope'),
      page('format/forms', 'The three forms'),
      page('format/actors', 'Actors'),
      { of: 'docs/format/modes.md', title: 'Modes and state', below: 'format/modes/' },
      page('format/phases', 'Phases'),
      page('format/triggers', 'Triggers'),
      page('format/predicates', 'Paths and predicates'),
      page('format/extractors', 'Extractors'),
      page('format/templates', 'Templates'),
      page('format/indicators', 'Indicators'),
      page('format/patterns', 'Patterns'),
      page('format/expressions', 'CEL expressions'),
      page('semantic', 'Semantic indicators'),
      page('format/verdicts', 'Tiers and verdicts'),
      page('outcomes', 'Outcomes'),
      page('extensions', 'Our extensions'),
      page('disguises', 'x-decode'),
      page('generated', 'x-generate'),
      page('wire', 'x-wire'),
      page('availability', 'x_agent: availability'),
    ],
  },
  {
    title: 'Cookbook',
    entries: [
      page('cookbook/README', 'Recipes'),
      page('cookbook/rug-pull-by-count', 'Rug pull by count'),
      page('cookbook/rug-pull-by-time', 'Rug pull by time'),
      page('cookbook/shadowing', 'Shadowing'),
      page('cookbook/elicitation', 'Elicitation'),
      page('cookbook/sampling', 'Sampling'),
      page('cookbook/three-servers', 'A flow over three servers'),
      page('cookbook/a2a-card', 'An A2A card'),
      page('cookbook/ag-ui-history', 'An AG-UI history'),
      page('cookbook/cel', 'A judgement in CEL'),
      page('cookbook/extractors-between-actors', 'Extractors between actors'),
    ],
  },
  {
    title: 'Running',
    entries: [
      page('running', 'Running documents'),
      page('command-agents', 'Attack a program'),
      page('served-agents', 'Attack a server'),
      page('hosted-agents', 'Containers, other machines'),
      page('example-agents', 'Example agents'),
      page('testing', 'In your test suite'),
      page('sdk', 'From code'),
      page('suites', 'Suites'),
      page('reports', 'Reports'),
      page('configuration', 'Configuration'),
    ],
  },
  {
    title: 'Reference',
    entries: [
      { of: 'reference/commands', title: 'Commands', below: 'reference/commands/' },
      made('reference/settings', 'Settings'),
      { of: 'reference/diagnostics', title: 'Diagnostics', below: 'reference/diagnostics/' },
      page('trace', 'Traces'),
      page('outcomes-by-example', 'Outcomes by example'),
      page('severity', 'Severities of the library'),
      page('mcp', 'MCP servers'),
      page('mcp-client', 'MCP clients'),
      page('a2a', 'A2A'),
      page('ag-ui', 'AG-UI'),
      page('peers', 'Peers'),
    ],
  },
  {
    title: 'Internals',
    entries: [
      { of: 'ARCHITECTURE.md', title: 'Architecture' },
      { of: 'decisions', title: 'Decisions', below: 'decisions/' },
      page('conformance', 'Conformance'),
      page('fuzzing', 'Fuzzing'),
      page('mutants', 'What the tests are worth'),
      page('performance', 'Performance'),
      page('dependencies', 'Dependencies'),
      { of: 'CONTRIBUTING.md', title: 'Contributing' },
      { of: 'SECURITY.md', title: 'Security' },
      { of: 'CHANGELOG.md', title: 'Changes' },
    ],
  },
];
