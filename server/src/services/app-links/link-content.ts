import type { AppLinkInput } from '@quayside/contract/app-links/endpoints'
import { canonicalUrl, mostTags } from '@quayside/contract/app-links/rules'
import type { AppLinkTable } from './tables.ts'

/** The part of a link that people decide about. */
export type LinkContent = Pick<AppLinkTable, 'name' | 'name_key' | 'url' | 'description' | 'color' | 'tags'>

const nothing = { description: '', color: null, tags: [] }

/** The content of a link after somebody has sent this; `before` is that of a link which is there already. */
export function contentOf(
  { name, url, description, color, tags }: AppLinkInput,
  before: Pick<LinkContent, 'description' | 'color' | 'tags'> = nothing,
): LinkContent {
  return {
    ...{ name, name_key: nameKey(name), url: canonicalUrl(url) },
    description: description ?? before.description,
    color: color === undefined ? before.color : color,
    tags: [...new Set(tags ?? before.tags)],
  }
}

/** The tags of a link with one more or one less; undefined when it has as many as it may have. */
export function withTag(tags: readonly string[], tag: string, isSet: boolean): string[] | undefined {
  if (!isSet) return tags.filter((each) => each !== tag)
  if (tags.includes(tag)) return [...tags]
  return tags.length < mostTags ? [...tags, tag] : undefined
}

/** The same for names that look alike: letters without their case and form, nothing that is not shown. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
}
