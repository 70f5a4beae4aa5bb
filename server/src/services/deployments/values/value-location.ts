import { isRecord } from '@quayside/values/yaml/scalar-text'
import { openYaml, YamlRefused } from '@quayside/values/yaml/yaml-document'
import { isNode } from 'yaml'

interface Where {
  path?: string
  line?: number
}

/** Where in the values something is that Helm says: the first of the values that each message names, with its line. */
export function whereOf(messages: readonly string[], yaml: string, values: unknown): Where[] {
  const paths = messages.map((message) => {
    const named = /(?:\.Values|<\$?\.Values)\.([\w.-]+)/.exec(message)?.[1] ?? mentioned(message, values)
    return named?.replace(/\.+$/, '')
  })
  const lines = linesOfPaths(
    yaml,
    paths.map((path) => path?.split('.') ?? []),
  )
  return paths.map((path, index) => {
    const line = lines[index]
    return path ? { path, ...(line === undefined ? {} : { line }) } : {}
  })
}

/** A dotted path of these values that the message is about: `Please set certmanager-issuer.email`. */
function mentioned(message: string, values: unknown): string | undefined {
  const candidates = message.slice(0, 4000).match(/[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)+/g) ?? []
  return candidates.find((name) => {
    const parent = name
      .split('.')
      .slice(0, -1)
      .reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), values)
    return isRecord(parent)
  })
}

/** The lines, from 1, where the deepest part of each path that is written down begins. */
export function linesOfPaths(yaml: string, paths: readonly (readonly string[])[]): (number | undefined)[] {
  if (paths.every((path) => path.length === 0)) return paths.map(() => undefined)
  try {
    const document = openYaml(yaml)
    return paths.map((path) => {
      for (let length = path.length; length > 0; length -= 1) {
        const part = path.slice(0, length).map((one) => (/^\d+$/.test(one) ? Number(one) : one))
        const node = document.getIn(part, true)
        if (isNode(node) && node.range) return yaml.slice(0, node.range[0]).split('\n').length
      }
      return undefined
    })
  } catch (error) {
    if (error instanceof YamlRefused) return paths.map(() => undefined)
    throw error
  }
}
