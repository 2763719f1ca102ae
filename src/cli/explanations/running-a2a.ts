import type { runWarnings } from '../../registry/rules.ts';
import { type Explanation, mend } from './explanation.ts';

type A2aWarning = 'O-120' | 'O-121' | 'O-122' | 'O-123' | 'O-124' | 'O-125' | 'O-126';

// Warnings of runs with A2A actors.
export const runningA2a: { readonly [C in keyof typeof runWarnings & A2aWarning]: Explanation } = {
  'O-120': {
    title: 'the agent card names another address',
    why:
      'A card is served as it is written. Agents send messages to the `url` of the card. If that URL is not the ' +
      'actor’s, they send them elsewhere: the agent reads the attack, but nothing comes back. Leave `url` and the ' +
      'interfaces out, so that the real ones are filled in, or run with `--card-url rewrite`. Some agents, ' +
      'including the built-in ones, use the server that sent the card.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Helpful translator
          execution:
            mode: a2a_server
            state:
              agent_card:
                name: Translator
                description: Translates documents
      -         url: https://translator.example/a2a
    `,
  },
  'O-121': {
    title: 'gRPC cannot carry a part of the message',
    why:
      'Over JSON-RPC and HTTP+JSON a document’s content is sent as it is written. gRPC has only the fields that ' +
      'A2A defines, with the types that it defines. It has no place for a status that is a bare word, for parts ' +
      'that have `type`, or for fields of your own. Such values are left out and named here. An attack that needs ' +
      'them works only over the other two transports.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Finished task
          execution:
            mode: a2a_server
            state:
              task_responses:
                - content:
                    id: task-1
      -             status: completed
      +             status:
      +               state: completed
    `,
  },
  'O-122': {
    title: 'a push notification was not sent',
    why:
      'A document alone may not choose the hosts that we contact. A notification goes to an endpoint on this ' +
      'machine that the agent configured for one of its tasks; it goes to another host only with `--allow-host ' +
      'HOST`. An extractor can take the address from the agent’s own request.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Late result
          execution:
            mode: a2a_server
            phases:
              - name: wait
                state: {}
                trigger:
                  event: message/send
      +         extractors:
      +           - name: webhook
      +             source: request
      +             type: json_path
      +             selector: $.configuration.pushNotificationConfig.url
              - name: tell
                on_enter:
                  - send_push_notification:
      -               url: https://agent.example/webhook
      +               url: "{{webhook}}"
                      payload: {}
    `,
  },
  'O-123': {
    title: 'an A2A server cannot send a message of its own accord',
    why:
      'A2A servers only answer requests. There is no stream for a message of their own, so `send` does nothing on ' +
      'an `a2a_server` actor. To notify an agent about a task that it subscribed to, use ' +
      '`send_push_notification`.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Talkative agent
          execution:
            mode: a2a_server
            phases:
              - name: speak
                state: {}
                on_enter:
      -           - send:
      -               method: message/send
      +           - send_push_notification:
      +               url: http://127.0.0.1:9000/webhook
      +               payload: {}
    `,
  },
  'O-124': {
    title: 'the agent’s card names a host that is not allowed',
    why:
      'An `a2a_client` actor uses the endpoints and the transport that the agent’s card names. A card is not ' +
      'trusted, though: the actor connects only to the host of `--connect` and those of `--allow-host`. A card ' +
      'may name this machine only if it came from this machine or with `--allow-host localhost`, and it may never ' +
      'lead from https to http. Otherwise messages go to the address of `--connect` itself, as JSON-RPC.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Greeting
          execution:
            mode: a2a_client
            state:
              actions:
                - method: message/send
                  params:
                    message:
                      role: user
                      messageId: m1
                      parts:
                        - kind: text
      -                   text: Hello from afar
      +                   text: Hello
    `,
  },
  'O-125': {
    title: 'the agent’s card names an address to which its headers are not sent',
    why:
      'The values of `--header` and `OATF_BEARER` are for the origin (scheme, host and port) of `--connect`. The ' +
      'agent’s card names another port or host. That is allowed, but the server there may belong to another ' +
      'party, so requests go to it without these values. If they are meant for that address, connect to it ' +
      'directly: for example, `--connect client=http://127.0.0.1:9001/` instead of the address of the card.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Greeting
          execution:
            mode: a2a_client
            state:
              actions:
                - method: message/send
                  params:
                    message:
                      role: user
                      messageId: m1
                      parts:
                        - kind: text
      -                   text: Hello from afar
      +                   text: Hello
    `,
  },
  'O-126': {
    title: 'an agent was refused because it lacks an extension',
    why:
      'The card says that an extension is `required`. Since A2A 1.0, a request that does not list it in the ' +
      'header `A2A-Extensions` is answered with -32008, so the agent received nothing else of the document. Most ' +
      'agents know no extensions. Leave `required` out if the attack should reach them.',
    ...mend`
        oatf: "0.1"
        attack:
          name: Paid priority
          execution:
            mode: a2a_server
            state:
              agent_card:
                name: Queue
                description: Keeps a place in a queue
                capabilities:
                  extensions:
                    - uri: https://queue.example/priority
                      description: Says who comes first
      -               required: true
    `,
  },
};
