import { mergeDocuments } from '@quayside/values/merge/three-way'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'

/**
 * Values that somebody has edited, over those of another version: what they changed stays theirs, the rest is the
 * version's. A text that nobody can read cannot be carried over.
 */
export function carriedOver({ before, yours, theirs }: { before: string; yours: string; theirs: string }): string {
  if (before === theirs) return yours
  try {
    return mergeDocuments(before, yours, theirs).yaml
  } catch (error) {
    if (error instanceof YamlRefused) return theirs
    throw error
  }
}
