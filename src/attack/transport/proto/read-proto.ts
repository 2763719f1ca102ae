import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The fields of a message, by number and by every name that proto JSON allows. */
export interface MessageType {
  readonly name: string;
  readonly byNumber: ReadonlyMap<number, ProtoField>;
  readonly byName: ReadonlyMap<string, ProtoField>;
}

export interface ProtoField {
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

export interface ProtoSchema {
  readonly messages: ReadonlyMap<string, MessageType>;
  readonly enums: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly rpcs: readonly Rpc[];
}

const block = /^(message|enum|service) (\w+) \{([^}]*)\}/gm;
const fieldLine =
  /^\s*(?:(repeated) )?(?:map<string, (\w+)>|(?:google\.protobuf\.)?(\w+)) (\w+) = (\d+)(?: \[json_name = "(\w+)"\])?;$/gm;
const enumLine = /^\s*(\w+) = (\d+);$/gm;
const rpcLine = /^\s*rpc (\w+)\((\w+)\) returns \((stream )?(\w+)\);$/gm;

/** Reads the part of the proto language that our own files use: no nesting, no options except `json_name`, and only the
 * well-known types of Google are imported. */
function readProto(text: string): ProtoSchema {
  const messages = new Map<string, MessageType>();
  const enums = new Map<string, ReadonlyMap<string, number>>();
  const rpcs: Rpc[] = [];
  const package_ = /^package ([\w.]+);$/m.exec(text)?.[1] ?? '';
  for (const [, kind, name = '', body = ''] of text.matchAll(block))
    if (kind === 'message') messages.set(name, parseMessageType(name, body));
    else if (kind === 'enum')
      enums.set(name, new Map([...body.matchAll(enumLine)].map(([, key = '', value]) => [key, Number(value)])));
    else rpcs.push(...parseRpcs(`/${package_}.${name}`, body));
  return { messages, enums, rpcs };
}

/** Reads the schema of files of this package's `data` once, on first use. */
export function readPackagedSchema(...names: readonly string[]): () => ProtoSchema {
  let schema: ProtoSchema | undefined;
  return () => {
    const manifest = createRequire(import.meta.url).resolve('oatf/package.json');
    schema ??= readProto(names.map((name) => readFileSync(join(dirname(manifest), 'data', name), 'utf8')).join('\n'));
    return schema;
  };
}

export function findMessageType({ messages }: ProtoSchema, name: string): MessageType {
  const type = messages.get(name);
  if (type === undefined) throw new Error(`there is no message ${name}`);
  return type;
}

function parseMessageType(name: string, body: string): MessageType {
  const byNumber = new Map<number, ProtoField>();
  const byName = new Map<string, ProtoField>();
  for (const [, repeated, mapOf, plain, written = '', number, jsonName] of body.matchAll(fieldLine)) {
    const camel = written.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
    const field: ProtoField = {
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

function parseRpcs(service: string, body: string): readonly Rpc[] {
  return [...body.matchAll(rpcLine)].map(([, name = '', request = '', stream, response = '']) => ({
    name,
    path: `${service}/${name}`,
    request,
    response,
    isStream: stream !== undefined,
  }));
}
