import type { ValueMap } from '../../format/model/value.ts';

/** The card of the agent, readable in either era. */
export function createAgentCard(url: string): ValueMap {
  const places = { JSONRPC: url, 'HTTP+JSON': url.replace(/\/$/, ''), GRPC: new URL(url).host };
  return {
    protocolVersion: '0.3.0',
    name: 'oatf-built-in-agent',
    description: 'A capable assistant with tools of its own.',
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: Object.entries(places).map(([transport, place]) => ({ url: place, transport })),
    supportedInterfaces: Object.entries(places).map(([protocolBinding, place]) => ({
      url: place,
      protocolBinding,
      protocolVersion: '1.0',
    })),
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
