import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { Window } from 'happy-dom'
import { describe, expect, test } from 'vitest'
import { safeSvg } from './safe-svg.ts'

const SVG = 'xmlns="http://www.w3.org/2000/svg"'
const whole = (inner: string, more = '') => `<svg ${SVG} ${more}>${inner}</svg>`

const acts: readonly (readonly [string, string])[] = [
  ['a script', whole('<script>alert(1)</script>')],
  ['a script in capitals', whole('<SCRIPT>alert(1)</SCRIPT>')],
  ['a script behind a prefix', whole('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>')],
  ['a script of XHTML', whole('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>')],
  ['a script without words', whole('<script href="https://evil.example/x.js"/>')],
  ['a script over lines', whole('<script\n>alert(1)</script\n>')],
  ['a script inside of something unknown', whole('<inkscape:x xmlns:inkscape="i"><script/></inkscape:x>')],
  ['a foreign object', whole('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>')],
  ['a foreign object behind a prefix', whole('<s:foreignObject xmlns:s="http://www.w3.org/2000/svg"/>')],
  ['an iframe', whole('<iframe src="https://evil.example"/>')],
  ['an event handler', whole('<rect onload="alert(1)"/>')],
  ['an event handler of the root', `<svg ${SVG} onload="alert(1)"/>`],
  ['an event handler in capitals', whole('<rect ONCLICK="alert(1)"/>')],
  ['an event handler behind a prefix', whole('<rect xmlns:x="y" x:onclick="alert(1)"/>')],
  ['an event handler behind a line end', whole('<rect\nonclick\n=\n"alert(1)"/>')],
  ['a script address', whole('<a href="javascript:alert(1)"><rect/></a>')],
  ['a script address in pieces', whole('<a xlink:href="&#106;avascript&#58;alert(1)"><rect/></a>')],
  ['an animation of an address', whole('<a><animate attributeName="href" to="javascript:alert(1)"/></a>')],
  ['a setting of an address', whole('<set attributeName="href" to="https://evil.example"/>')],
]

const loads: readonly (readonly [string, string])[] = [
  ['a picture', whole('<image href="https://evil.example/p.png"/>')],
  ['a picture by the old attribute', whole('<image xlink:href="//evil.example/p.png"/>')],
  ['a picture in SVG', whole('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>')],
  ['another document', whole('<use href="https://evil.example/s.svg#a"/>')],
  ['another document in a data address', whole('<use href="data:image/svg+xml,x#a"/>')],
  ['a paint', whole('<rect fill="url(https://evil.example/#a)"/>')],
  ['a paint in quotes', whole(`<rect fill="url( 'https://evil.example/#a' )"/>`)],
  ['a paint by references', whole('<rect fill="&#117;rl(https://evil.example)"/>')],
  ['a paint by escapes of CSS', whole('<rect style="fill:\\75rl(https://evil.example)"/>')],
  ['a style', whole('<rect style="background:URL(https://evil.example)"/>')],
  ['an import', whole('<style>@import "https://evil.example/x.css";</style>')],
  ['an import in character data', whole('<style><![CDATA[@import "https://evil.example/x.css";]]></style>')],
  ['a font', whole('<style>@font-face{src:url(https://evil.example/f.woff)}</style>')],
  ['a filter', whole('<rect filter="url(//evil.example/#f)"/>')],
]

const broken: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['text', 'hello'],
  ['HTML', '<!doctype html><html></html>'],
  ['a root behind a prefix', '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:script/></svg:svg>'],
  ['another root', '<x:svg xmlns:x="http://www.w3.org/2000/svg"/>'],
  ['a document with entities of its own', `<!DOCTYPE svg [<!ENTITY x "<script/>">]>${whole('&x;')}`],
  ['an entity that is not there', whole('<text>&x;</text>')],
  ['a character that is none', whole('<text>&#0;</text>')],
  ['an end too many', `${whole('')}</svg>`],
  ['an end too few', `<svg ${SVG}><g>`],
  ['ends that cross', whole('<g><text></g></text>')],
  ['two roots', whole('') + whole('')],
  ['text behind the end', `${whole('')}<!-- --> more`],
  ['an attribute twice', whole('<rect x="1" x="2"/>')],
  ['an attribute without quotes', whole('<rect x=1/>')],
  ['an attribute that opens a tag', whole('<rect x="<script>"/>')],
  ['a tag that does not end', whole('<rect x="1" ')],
  ['a tag in a tag', whole('<rect <script>/>')],
  ['ten thousand levels', whole(`${'<g>'.repeat(10_000)}${'</g>'.repeat(10_000)}`)],
]

const refusalOf = (text: string) => {
  const safe = safeSvg(text)
  return 'refused' in safe ? safe.refused : `taken: ${safe.svg}`
}

describe('an SVG is refused', () => {
  test.each(acts)('that acts: %s', (_, text) => expect(refusalOf(text)).toMatch(/script/))
  test.each(loads)('that loads: %s', (_, text) => expect(refusalOf(text)).toMatch(/elsewhere/))
  test.each(broken)('that is none: %s', (_, text) => expect(refusalOf(text)).toMatch(/not an SVG/))
})

const rebuilt = (text: string): string => {
  const safe = safeSvg(text)
  if ('refused' in safe) throw new Error(safe.refused)
  return safe.svg
}

describe('of an SVG that is taken', () => {
  test('what draws stays', () => {
    const text = `<?xml version="1.0" encoding="utf-8"?>
      <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
      <!-- made by hand -->
      ${whole('<style>.a{fill:url(#g)}</style><defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs><a href="#g"><path class="a" d="M0 0"/></a><use xlink:href="#g" x=\'1\'/><text>a &amp; b &lt; c</text>', 'viewBox="0 0 1 1"')}`
    expect(rebuilt(text).trim()).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1"><style>.a{fill:url(#g)}</style><defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs><g><path class="a" d="M0 0"/></g><use href="#g" x="1"/><text>a &#38; b &#60; c</text></svg>',
    )
  })

  test('what is unknown or foreign goes, with all that is in it', () => {
    const foreign = 'xmlns:i="http://www.inkscape.org" xmlns:x="http://www.w3.org/1999/xhtml"'
    const text = whole(
      '<metadata><rdf:RDF><x:div>words</x:div></rdf:RDF></metadata><i:view i:zoom="1"/><g xmlns="http://www.w3.org/1999/xhtml" i:label="l" data-x="1"><p>words</p><rect x="1"/></g>',
      foreign,
    )
    const kept = rebuilt(text)
    expect(kept).not.toMatch(/xhtml|inkscape|words|label|data-x|RDF/)
    expect(kept).toContain('<g><rect x="1"/></g>')
  })

  test('copies of copies stay few', () => {
    const text = whole('<g id="a"/>'.concat('<use href="#a"/>'.repeat(1000)))
    expect(rebuilt(text).match(/<use/g)).toHaveLength(16)
  })

  test('time grows with its length alone', () => {
    const since = performance.now()
    for (const long of [
      `<svg ${SVG} ${' '.repeat(200_000)}`,
      `<svg ${'a="b" '.repeat(40_000)}<`,
      whole('<!--'.repeat(50_000)),
      whole('<![CDATA['.repeat(25_000)),
      whole('&'.repeat(200_000)),
      `<svg ${SVG} a${' '.repeat(100_000)}=${' '.repeat(100_000)}`,
    ])
      safeSvg(long)
    expect(performance.now() - since).toBeLessThan(3000)
  })

  test('nothing that acts or loads is left for a browser to find, however its pieces are put together', () => {
    const document = new Window().document
    const pieces = [...acts, ...loads, ...broken].flatMap(([, text]) => text.slice(0, 500).split(/(?=[<>"'&;:=\s])/))
    const documents = fc.array(
      fc.constantFrom(...pieces, '<g>', '</g>', '<rect ', '/>', 'x="', '"', '<![CDATA[', ']]>'),
      {
        maxLength: 30,
      },
    )
    let taken = 0
    fc.assert(
      fc.property(documents, (parts) => {
        const safe = safeSvg(whole(parts.join('')))
        if ('refused' in safe) return
        taken += 1
        document.body.innerHTML = safe.svg
        for (const element of document.body.querySelectorAll('*')) {
          expect(['script', 'foreignobject', 'iframe', 'set', 'animate']).not.toContain(element.localName.toLowerCase())
          for (const { name, value } of element.attributes) {
            expect(name).not.toMatch(/^on/i)
            if (/href|src/.test(name)) expect(value).toMatch(/^(#|data:image\/(?!svg))/)
          }
        }
      }),
      { numRuns: 3000 },
    )
    expect(taken).toBeGreaterThan(50)
  })
})

test("the portal's own mark is taken", () => {
  const mark = readFileSync(resolve(import.meta.dirname, '../../../../../web/src/app/mark.svg'), 'utf8')
  expect(rebuilt(mark)).toMatch(/^<svg .*stroke-linejoin="round"><rect width="32".*<circle.*<path/)
})
