/** The tags with those of a text added: split at commas, trimmed, empty ones and repeats left out. */
export function addTag(tags: readonly string[], text: string): readonly string[] {
  const added = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !tags.includes(part))
  return added.length === 0 ? tags : [...tags, ...new Set(added)]
}
