import type { runWarnings } from '../../registry/rules.ts';
import { type Explanation, mend } from './explanation.ts';

type A2aWarning = 'O-120' | 'O-121' | 'O-122' | 'O-123' | 'O-124' | 'O-125' | 'O-126';

// Warnings of a run with A2A actors.
export const runningA2a: { readonly [C in keyof typeof runWarnings & A2aWarning]: Explanation } = {
  'O-120': {
    title: 'the agent card leads somewhere else',
    why:
      'A card is served as it is written. Agents take the address to send messages to from its `url`, and one that ' +
      'leads away from the actor is where they go: the attack is read, but nothing comes back. Leave `url` and the ' +
      'interfaces out and the real ones are filled in, or run with `--card-url rewrite`. Some agents, the built-in ' +
      'ones among them, stay with whoever served the card.',
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
      'Over JSON-RPC and HTTP+JSON a document’s content goes out as it is written. gRPC has only the fields that A2A ' +
      'defines, of the types that it defines: a status that is a bare word, parts that say `type`, or fields of your ' +
      'own have no place in it. What has none is left out, and named here. An attack that needs it works over the ' +
      'other two transports only.',
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
      'An address in a document is not the operator’s word. A notification goes to an endpoint on this machine that ' +
      'the agent configured for one of its tasks; to any other host only with `--allow-host HOST`. An extractor can ' +
      'take the address from the agent’s own request.',
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
    title: 'an A2A server cannot say anything by itself',
    why:
      'A2A servers only answer. There is no stream that a message of their own could go into, so `send` does nothing ' +
      'on an `a2a_server` actor. What an agent asked to be told of a task goes out with `send_push_notification`.',
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
    title: 'the agent’s card leads where nobody allowed',
    why:
      'An `a2a_client` actor uses the endpoints and the transport that the agent’s card names, but a card is the ' +
      'agent’s word: only the host of `--connect` and those of `--allow-host` are gone to. A card leads to this ' +
      'machine only from this machine or with `--allow-host localhost`, and never from https to http. Otherwise ' +
      'messages go to the address of `--connect` itself, as JSON-RPC.',
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
    title: 'the agent’s card leads to where its headers are not sent',
    why:
      'The values of `--header` and `OATF_BEARER` are for the origin (scheme, host and port) of `--connect`. The ' +
      'agent’s card leads to another port or host, which is allowed, but may be somebody else: it is asked without ' +
      'them. If they are meant for that address, connect to it directly. For example, ' +
      '`--connect client=http://127.0.0.1:9001/` in place of the address of the card.',
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
    title: 'an agent was refused for want of an extension',
    why:
      'The card says that an extension is `required`. Since A2A 1.0 a request that does not list it in the header ' +
      '`A2A-Extensions` is answered with -32008, so the agent got nothing else of the document. Most agents know no ' +
      'extensions. Leave `required` out where the attack is to reach them.',
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
