import { mask } from './redaction.ts'

/** A manifest whose Secrets keep their keys and lose their values. */
export function maskSecrets(manifest: string): string {
  return manifest
    .split(/(^---.*$)/m)
    .map((part) => (/^kind:\s*["']?Secret["']?\s*(#.*)?$/m.test(part) ? maskData(part) : part))
    .join('')
}

function maskData(document: string): string {
  let isInside = false
  let indent = 0
  return document
    .split('\n')
    .flatMap((line) => {
      if (/^\S/.test(line)) {
        isInside = /^(data|stringData):/.test(line)
        indent = 0
        // A mapping in one line is hidden whole.
        return isInside && /:\s*[^\s#]/.test(line) ? [line.replace(/:.*$/, `: ${mask}`)] : [line]
      }
      if (!isInside || line.trim() === '') return [line]
      const depth = line.length - line.trimStart().length
      indent ||= depth
      const key = depth === indent ? /^(\s+(?:"[^"]*"|'[^']*'|[^:#]+):)/.exec(line)?.[1] : undefined
      return key ? [`${key} ${mask}`] : []
    })
    .join('\n')
}
