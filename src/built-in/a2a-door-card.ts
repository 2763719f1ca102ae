import type { ValueMap } from '../model/value.ts';

/** What the agent says of itself to others. */
export function cardOf(url: string): ValueMap {
  return {
    protocolVersion: '0.3.0',
    name: 'oatf-built-in-agent',
    description: 'A capable assistant with tools of its own.',
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url, transport: 'JSONRPC' },
      { url: url.replace(/\/$/, ''), transport: 'HTTP+JSON' },
      { url: new URL(url).host, transport: 'GRPC' },
    ],
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'assist',
        name: 'Assist',
        description: 'Does what it is asked, with the tools that it has.',
        tags: ['assistant'],
      },
    ],
  };
}
