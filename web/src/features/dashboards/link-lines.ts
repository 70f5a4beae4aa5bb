import type { PanelLink } from '@quayside/contract/dashboards/spec'

interface Lines {
  links: PanelLink[]
  /** The first line that is no link. */
  wrong: string | undefined
}

/** Links of a text, one a line: a name, which may be left out, and an address. */
export function linksIn(text: string): Lines {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const found = lines.map(linkOf)
  return {
    links: found.filter((link) => link !== undefined),
    wrong: lines.find((_, at) => found[at] === undefined)?.trim(),
  }
}

function linkOf(line: string): PanelLink | undefined {
  const found = /^(.*?)\s*(https?:\/\/\S+)\s*$/.exec(line)
  const url = found?.[2]
  return url !== undefined && URL.canParse(url) ? { name: found?.[1]?.trim() || url, url } : undefined
}
