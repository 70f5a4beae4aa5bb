import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Markdown } from './markdown.tsx'

const shown = (text: string) => render(<Markdown text={text} />).container

test('a picture of another server is a link to it, and no browser goes there by itself', () => {
  const page = shown(
    [
      '![A chart](https://evil.example/seen.png)',
      '<img src="//evil.example/a.png" srcset="https://evil.example/b.png 2x">',
      '[![Badge](https://evil.example/badge.svg)](https://project.example/)',
      '<picture><source srcset="https://evil.example/c.webp"><img src="https://evil.example/d.png"></picture>',
      '![](relative/path.png)',
    ].join('\n\n'),
  )
  expect(page.querySelectorAll('img, source[srcset]')).toHaveLength(0)
  const links = [...page.querySelectorAll('a')].map(({ textContent, href }) => [textContent, href])
  expect(links).toEqual([
    ['A chart', 'https://evil.example/seen.png'],
    ['Badge', 'https://project.example/'],
    ['https://evil.example/d.png', 'https://evil.example/d.png'],
  ])
})

test('a picture that comes along is shown', () => {
  const page = shown('![Dot](data:image/png;base64,iVBORw0KGgo=)')
  expect(page.querySelector('img')?.alt).toBe('Dot')
})

test('headings are a level below those of the page, and keep their order', () => {
  const page = shown('A chart.\n\n# Name\n\n## Use *this*\n\n<h1>Again</h1>\n\n##### Small\n\n###### Smallest')
  const headings = [...page.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(
    (one) => `${one.localName} ${one.textContent}`,
  )
  expect(headings).toEqual(['h2 Name', 'h3 Use this', 'h2 Again', 'h6 Small', 'h6 Smallest'])
})
