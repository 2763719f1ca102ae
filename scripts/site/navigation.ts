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
    title: 'Guides',
    entries: [
      page('README', 'Start here'),
      page('guides/install', 'Install'),
      page('guides/first-attack', 'First attack'),
      page('guides/write-attacks', 'Write attacks'),
      page('guides/recording', 'Record and poison'),
      page('guides/command-agents', 'Attack a program'),
      page('guides/served-agents', 'Attack a server'),
      page('guides/hosted-agents', 'Containers, other machines'),
      page('guides/example-agents', 'Example agents'),
      page('guides/suites', 'Suites'),
      page('guides/converting', 'Documents of ThoughtJack'),
      { of: 'docs/guides/cookbook/README.md', title: 'Cookbook', below: 'guides/cookbook/' },
      { of: 'scenarios/README.md', title: 'The attack library', below: 'library/' },
    ],
  },
  {
    title: 'Protocols',
    entries: [
      page('protocols/mcp', 'MCP servers'),
      page('protocols/mcp-client', 'MCP clients'),
      page('protocols/a2a', 'A2A'),
      page('protocols/ag-ui', 'AG-UI'),
    ],
  },
  {
    title: 'Format',
    entries: [
      page('reference/format/README', 'Overview'),
      page('reference/format/envelope', 'The envelope'),
      page('reference/format/forms', 'The three forms'),
      page('reference/format/actors', 'Actors'),
      {
        of: 'docs/reference/format/modes.md',
        title: 'Modes and state',
        below: 'reference/format/modes/',
      },
      page('reference/format/phases', 'Phases'),
      page('reference/format/triggers', 'Triggers'),
      page('reference/format/predicates', 'Paths and predicates'),
      page('reference/format/extractors', 'Extractors'),
      page('reference/format/templates', 'Templates'),
      page('reference/format/indicators', 'Indicators'),
      page('reference/format/patterns', 'Patterns'),
      page('reference/format/expressions', 'CEL expressions'),
      page('reference/semantic', 'Semantic indicators'),
      page('reference/format/verdicts', 'Tiers and verdicts'),
    ],
  },
  {
    title: 'Extensions',
    entries: [
      page('extensions/README', 'Our extensions'),
      page('extensions/payload', 'x-payload'),
      page('extensions/task', 'x-task'),
      page('extensions/plan', 'x-plan'),
      page('extensions/disclosure', 'x-disclosure'),
      page('extensions/decode', 'x-decode'),
      page('extensions/canaries', 'x-canaries'),
      page('extensions/generate', 'x-generate'),
      page('extensions/wire', 'x-wire'),
      made('extensions/wire-transports', 'Transports of x-wire'),
      page('extensions/await', 'x-await'),
      page('extensions/availability', 'Availability'),
    ],
  },
  {
    title: 'Reference',
    entries: [
      page('reference/running', 'Running documents'),
      { of: 'reference/commands', title: 'Commands', below: 'reference/commands/' },
      page('reference/configuration', 'Configuration'),
      made('reference/settings', 'Settings'),
      page('reference/outcomes', 'Outcomes'),
      made('reference/outcomes-by-example', 'Outcomes by example'),
      page('reference/reports', 'Reports'),
      page('reference/trace', 'Traces'),
      { of: 'reference/diagnostics', title: 'Diagnostics', below: 'reference/diagnostics/' },
      page('reference/testing', 'In your test suite'),
      page('reference/sdk', 'From code'),
      page('reference/editors', 'Editors'),
    ],
  },
  {
    title: 'Development',
    entries: [
      { of: 'CONTRIBUTING.md', title: 'Contributing' },
      { of: 'ARCHITECTURE.md', title: 'Architecture' },
      page('development/glossary', 'Glossary'),
      {
        of: 'docs/development/decisions/README.md',
        title: 'Decisions',
        below: 'development/decisions/',
      },
      page('development/conformance', 'Conformance'),
      page('development/peers', 'Peers'),
      page('development/fuzzing', 'Fuzzing'),
      page('development/mutants', 'What the tests are worth'),
      page('development/performance', 'Performance'),
      page('development/dependencies', 'Dependencies'),
      { of: 'SECURITY.md', title: 'Security' },
      { of: 'CHANGELOG.md', title: 'Changes' },
    ],
  },
];
