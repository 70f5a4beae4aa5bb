import { limits } from '@quayside/contract/http/limits'
import { parse } from 'yaml'

/** The contexts of a kubeconfig, or the reason it cannot be read. */
type KubeconfigFacts =
  | { contexts: { name: string; cluster: string }[]; current: string | undefined }
  | { problem: string }

interface Shape {
  contexts?: unknown
  'current-context'?: unknown
}

/** Reads the contexts of a kubeconfig, to offer them; the server reads the rest and decides. */
export function readKubeconfig(text: string): KubeconfigFacts {
  if (text.length > limits.kubeconfigBytes)
    return { problem: `This is larger than ${limits.kubeconfigBytes / 1024} KiB.` }
  let document: Shape
  try {
    document = parse(text, { maxAliasCount: 10 }) as Shape
  } catch (error) {
    return {
      problem: error instanceof Error ? `This is not YAML: ${error.message.split('\n')[0]}` : 'This is not YAML.',
    }
  }
  if (typeof document !== 'object' || document === null || !Array.isArray(document.contexts)) {
    return { problem: 'This has no contexts, so it is not a kubeconfig.' }
  }
  const contexts = document.contexts.flatMap((entry: { name?: unknown; context?: { cluster?: unknown } } | null) =>
    typeof entry?.name === 'string' ? [{ name: entry.name, cluster: String(entry.context?.cluster ?? '') }] : [],
  )
  if (contexts.length === 0) return { problem: 'This has no contexts.' }
  const current = document['current-context']
  return { contexts, current: contexts.find(({ name }) => name === current)?.name ?? contexts[0]?.name }
}
