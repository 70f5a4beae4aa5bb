import type { PanelLink } from '@quayside/contract/dashboards/spec'

interface Lines {
  links: PanelLink[]
  /** A sentence about the first line that is no link. */
  problem: string | undefined
}

export const linkLinesHelp =
  'One link per line: the name, then a space, then an address that begins with http:// or https://'

/** Links of a text, one a line: a name, which may be left out, and an address. */
export function linksIn(text: string): Lines {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const found = lines.map(linkOf)
  const wrong = lines.find((_, at) => found[at] === undefined)?.trim()
  return {
    links: found.filter((link) => link !== undefined),
    problem: wrong && `“${wrong}” has no address that begins with http:// or https://`,
  }
}

export const linesOfLinks = (links: readonly PanelLink[]): string =>
  links.map(({ name, url }) => `${name} ${url}`).join('\n')

function linkOf(line: string): PanelLink | undefined {
  const found = /^(.*?)\s*(https?:\/\/\S+)\s*$/.exec(line)
  const url = found?.[2]
  return url !== undefined && URL.canParse(url) ? { name: found?.[1]?.trim() || url, url } : undefined
}
