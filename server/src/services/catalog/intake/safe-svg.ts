import { activeElements, svgAttributes, svgContainers, svgElements } from './svg-parts.ts'

/** A picture that is rebuilt from what may be in it, or the reason why it is refused. */
type SafeSvg = { svg: string } | { refused: string }

const NAME = '[A-Za-z_][\\w.:-]*'
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'gy')
/**
 * One piece of a document: what is passed over, a tag, or text. Nothing else is in an XML document without a subset.
 */
const PIECE = new RegExp(
  `<!--[\\s\\S]*?-->|<\\?[\\s\\S]*?\\?>|<!DOCTYPE[^[>]*>|<!\\[CDATA\\[([\\s\\S]*?)\\]\\]>` +
    `|<(/?)(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>|([^<]+)`,
  'y',
)
const ROOT = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
/** Copies of copies multiply: so few of them stay few however they are chained. */
const mostCopies = 16
const deepest = 200

const ACTS = 'The icon holds a script or something that acts like one.'
const LOADS = 'The icon loads something from elsewhere.'
const BROKEN = 'The icon is not an SVG image.'

class Refused extends Error {}

const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text behind its references; one to an entity of the document's own is refused, there is no end to those. */
function decoded(text: string): string {
  return text.replace(/&(#x?)?([^;]*);?/g, (_, number: string | undefined, name: string) => {
    const code = number && Number.parseInt(name, number === '#x' ? 16 : 10)
    if (code && code > 0x1f && code <= 0x10ffff) return String.fromCodePoint(code)
    if (code === 9 || code === 10 || code === 13) return String.fromCodePoint(code)
    const known = number ? undefined : predefined[name]
    if (known === undefined) throw new Refused(BROKEN)
    return known
  })
}

const encoded = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`).replace(/[^\P{Cc}\t\n\r]/gu, '')

/** Tells whether a text of styles or of an attribute leads anywhere but into the picture itself. */
const leadsOut = (text: string): boolean =>
  /url\s*\((?!\s*["']?\s*#)|@import|image-set|image\s*\(|src\s*\(/i.test(text) || /\\/.test(text)

const isInside = (element: string, address: string): boolean =>
  /^#[\w.:-]+$/.test(address) ||
  (element === 'image' && /^data:image\/(png|jpeg|gif|webp);base64,[\w+/=\s]*$/.test(address))

/** The attribute as it is kept; nothing when it is dropped. */
function attributeOf(element: string, name: string, value: string): string {
  const local = name.slice(name.indexOf(':') + 1).toLowerCase()
  if (local.startsWith('on') || /^\s*(?:javascript|vbscript)\s*:/i.test(value)) throw new Refused(ACTS)
  if (name === 'href' || name === 'xlink:href') {
    if (element === 'g') return ''
    if (!isInside(element, value.trim())) throw new Refused(LOADS)
    return ` href="${encoded(value.trim())}"`
  }
  if (!svgAttributes.has(name)) return ''
  if (leadsOut(value)) throw new Refused(LOADS)
  return ` ${name}="${encoded(value)}"`
}

interface Open {
  /** The name as it was written, which its end must repeat. */
  name: string
  /** The name that is written; undefined when the element is dropped with its content. */
  element: string | undefined
}

/** Reads pieces one after the other and writes those that are kept. */
class Rebuilder {
  private readonly out: string[] = []
  private readonly open: Open[] = []
  private copies = 0
  private hasRoot = false

  get text(): string {
    if (!this.hasRoot || this.open.length > 0) throw new Refused(BROKEN)
    return this.out.join('')
  }

  start(name: string, attributes: string, isEmpty: boolean): void {
    const element = this.elementOf(name)
    if (this.open.length >= deepest) throw new Refused(BROKEN)
    if (element) {
      const root = this.hasRoot ? `<${element}` : ROOT
      this.hasRoot = true
      this.out.push(`${root}${this.attributes(element, attributes)}${isEmpty ? '/>' : '>'}`)
    }
    if (!isEmpty) this.open.push({ name, element })
  }

  end(name: string): void {
    const last = this.open.pop()
    if (last?.name !== name) throw new Refused(BROKEN)
    if (last.element) this.out.push(`</${last.element}>`)
  }

  words(raw: string, isLiteral: boolean): void {
    const within = this.open.at(-1)
    const text = isLiteral ? raw : decoded(raw)
    if (!within) {
      if (text.trim() !== '') throw new Refused(BROKEN)
      return
    }
    if (!within.element) return
    if (within.element === 'style' && leadsOut(text)) throw new Refused(LOADS)
    this.out.push(encoded(text))
  }

  /** Nothing of an element that is unknown, foreign or inside of such a one is kept. */
  private elementOf(name: string): string | undefined {
    const local = name.slice(name.indexOf(':') + 1)
    if (activeElements.has(local.toLowerCase())) throw new Refused(ACTS)
    if (!this.hasRoot && name !== 'svg') throw new Refused(BROKEN)
    if (this.hasRoot && this.open.length === 0) throw new Refused(BROKEN)
    if (this.open.some(({ element }) => element === undefined)) return undefined
    if (name === 'use') {
      this.copies += 1
      if (this.copies > mostCopies) return undefined
    }
    return svgContainers.get(name) ?? (svgElements.has(name) ? name : undefined)
  }

  private attributes(element: string, source: string): string {
    const seen = new Set<string>()
    return [...source.matchAll(ATTRIBUTE)]
      .map(([, name = '', double, single]) => {
        if (seen.has(name)) throw new Refused(BROKEN)
        seen.add(name)
        return attributeOf(element, name, decoded(double ?? single ?? ''))
      })
      .join('')
  }
}

/**
 * Rebuilds an SVG picture from the elements and attributes that draw, and leaves out the rest. A text that is not XML to
 * its last character is refused, as is one with a part that acts or loads: whoever put it there meant it.
 */
export function safeSvg(text: string): SafeSvg {
  const rebuilder = new Rebuilder()
  const source = text.replace(/^\uFEFF/, '')
  try {
    PIECE.lastIndex = 0
    while (PIECE.lastIndex < source.length) {
      const piece = PIECE.exec(source)
      if (!piece) return { refused: BROKEN }
      const [, literal, closing, name, attributes = '', empty, words] = piece
      if (literal !== undefined) rebuilder.words(literal, true)
      else if (words !== undefined) rebuilder.words(words, false)
      else if (name !== undefined && closing) rebuilder.end(name)
      else if (name !== undefined) rebuilder.start(name, attributes, empty === '/')
    }
    return { svg: rebuilder.text }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message }
    throw error
  }
}
