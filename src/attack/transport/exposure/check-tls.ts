import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { TlsPair } from './exposure.ts';

/** A fault in a certificate or its key. */
interface TlsProblem {
  readonly in: keyof TlsPair;
  readonly problem: string;
  readonly hint: string;
}

/** Finds faults before any peer connects; a peer would only see a failed handshake. */
export function checkTls({ cert, key }: TlsPair, now: number): TlsProblem | undefined {
  const certificate = readCertificate(cert);
  if (certificate === undefined)
    return { in: 'cert', problem: 'this is not a PEM certificate', hint: 'it begins with BEGIN CERTIFICATE' };
  const privateKey = readKey(key);
  if (!('type' in privateKey)) return privateKey;
  if (!certificate.checkPrivateKey(privateKey))
    return {
      in: 'key',
      problem: 'this is not the key of the certificate',
      hint: 'in a file of several certificates, the server’s own stands first',
    };
  const { validFrom, validTo } = certificate;
  if (Date.parse(validTo) < now)
    return { in: 'cert', problem: `it expired on ${validTo}`, hint: 'no agent that checks it would connect' };
  if (Date.parse(validFrom) > now)
    return { in: 'cert', problem: `it is not valid before ${validFrom}`, hint: 'is the clock right?' };
  return undefined;
}

/** Tells whether a certificate covers a name, so that an agent that checks it can connect. */
export function isNameCovered({ cert }: TlsPair, name: string): boolean {
  const certificate = readCertificate(cert);
  if (certificate === undefined) return false;
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}

function readCertificate(text: string): X509Certificate | undefined {
  try {
    return text.includes('-----BEGIN') ? new X509Certificate(text) : undefined;
  } catch {
    return undefined;
  }
}

function readKey(text: string): KeyObject | TlsProblem {
  try {
    return createPrivateKey(text);
  } catch (thrown) {
    const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
    const isLocked = code === 'ERR_MISSING_PASSPHRASE' || /ENCRYPTED/.test(text);
    return isLocked
      ? {
          in: 'key',
          problem: 'it is locked with a passphrase',
          hint: 'openssl pkey -in KEY -out PLAIN writes one without',
        }
      : { in: 'key', problem: 'this is not a PEM private key', hint: 'it begins with BEGIN PRIVATE KEY' };
  }
}
