import manifest from 'oatf/package.json' with { type: 'json' };

export const version: string = manifest.version;
