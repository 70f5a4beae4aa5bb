import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The fragments that lead to the headings of a page. */
const headingsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

it('links of the documents lead to a file, and to a heading in it', () => {
  const pages = globSync('**/*.md', { cwd: root, exclude: (name) => name === 'node_modules' })
  expect(pages).toContain('SECURITY.md')
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(([link, to = '', heading]) => {
      const target = to === '' ? page : join(dirname(page), to)
      const isThere = existsSync(join(root, target)) && (!heading || headingsOf(target).includes(heading))
      return isThere ? [] : [`${page}: ${link}`]
    }),
  )
  expect(broken).toEqual([])
})

it('SECURITY.md is read in ten minutes', () => {
  expect(read('SECURITY.md').split(/\s+/).length).toBeLessThanOrEqual(2000)
})
