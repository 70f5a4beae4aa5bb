const maxSlug = 48

/** A text as a DNS label: lower-case letters, digits and single dashes; starts with a letter. */
export function slugOf(text: string, fallback = 'space'): string {
  const slug = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, maxSlug)
    .replace(/-+$/, '')
  return slug || fallback
}

/** `{spaceName}-{spaceId}`: at most 56 characters, so it fits a namespace. */
export function namespaceOf(spaceName: string, spaceId: string): string {
  return `${spaceName}-${spaceId}`
}
