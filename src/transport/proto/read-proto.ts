/** The fields of a message, by number and by every name that proto JSON allows. */
export interface MessageType {
  readonly name: string;
  readonly byNumber: ReadonlyMap<number, Field>;
  readonly byName: ReadonlyMap<string, Field>;
}

export interface Field {
  readonly number: number;
  readonly jsonName: string;
  readonly type: string;
  readonly label: 'single' | 'repeated' | 'map';
}

export interface Rpc {
  readonly name: string;
  readonly path: string;
  readonly request: string;
  readonly response: string;
  readonly isStream: boolean;
}

export interface Schema {
  readonly messages: ReadonlyMap<string, MessageType>;
  readonly enums: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly rpcs: readonly Rpc[];
}

const block = /^(message|enum|service) (\w+) \{([^}]*)\}/gm;
const fieldLine =
  /^\s*(?:(repeated) )?(?:map<string, (\w+)>|(\w+)) (\w+) = (\d+)(?: \[json_name = "(\w+)"\])?;$/gm;
const enumLine = /^\s*(\w+) = (\d+);$/gm;
const rpcLine = /^\s*rpc (\w+)\((\w+)\) returns \((stream )?(\w+)\);$/gm;

/** Reads the part of the proto language that our own files use: no nesting, no imports, no options except `json_name`. */
function readProto(text: string): Schema {
  const messages = new Map<string, MessageType>();
  const enums = new Map<string, ReadonlyMap<string, number>>();
  const rpcs: Rpc[] = [];
  const package_ = /^package ([\w.]+);$/m.exec(text)?.[1] ?? '';
  for (const [, kind, name = '', body = ''] of text.matchAll(block))
    if (kind === 'message') messages.set(name, messageOf(name, body));
    else if (kind === 'enum')
      enums.set(
        name,
        new Map([...body.matchAll(enumLine)].map(([, key = '', value]) => [key, Number(value)])),
      );
    else rpcs.push(...rpcsOf(`/${package_}.${name}`, body));
  return { messages, enums, rpcs };
}

/** Reads a schema once, on first use. */
export function readLate(text: string): () => Schema {
  let schema: Schema | undefined;
  return () => {
    schema ??= readProto(text);
    return schema;
  };
}

export function messageType({ messages }: Schema, name: string): MessageType {
  const type = messages.get(name);
  if (type === undefined) throw new Error(`there is no message ${name}`);
  return type;
}

function messageOf(name: string, body: string): MessageType {
  const byNumber = new Map<number, Field>();
  const byName = new Map<string, Field>();
  for (const [, repeated, mapOf, plain, written = '', number, jsonName] of body.matchAll(fieldLine)) {
    const camel = written.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
    const field: Field = {
      number: Number(number),
      jsonName: jsonName ?? camel,
      type: mapOf ?? plain ?? '',
      label: mapOf !== undefined ? 'map' : repeated !== undefined ? 'repeated' : 'single',
    };
    byNumber.set(field.number, field);
    for (const each of [written, camel, field.jsonName]) byName.set(each, field);
  }
  return { name, byNumber, byName };
}

function rpcsOf(service: string, body: string): readonly Rpc[] {
  return [...body.matchAll(rpcLine)].map(([, name = '', request = '', stream, response = '']) => ({
    name,
    path: `${service}/${name}`,
    request,
    response,
    isStream: stream !== undefined,
  }));
}
