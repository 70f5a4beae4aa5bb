import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { measureInitialJs, staticImports } from './initial-js.ts'

let dist = ''
beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'initial-js-'))
  await mkdir(join(dist, 'assets'))
})
afterEach(() => rm(dist, { recursive: true }))

it('follows static imports and leaves lazy ones out', async () => {
  await writeFile(
    join(dist, 'index.html'),
    '<script src="/en/assets/boot.js"></script><script type="module" crossorigin src="/en/assets/a.js"></script>',
  )
  await writeFile(join(dist, 'assets/boot.js'), '0')
  await writeFile(
    join(dist, 'assets/a.js'),
    'import{t as e}from"./b.js";import"./c.js";const l=()=>import("./lazy.js");',
  )
  await writeFile(join(dist, 'assets/b.js'), 'import{x}from"./a.js";export{x}from"./d.js";')
  await writeFile(join(dist, 'assets/c.js'), '1')
  await writeFile(join(dist, 'assets/d.js'), '2')
  await writeFile(join(dist, 'assets/lazy.js'), 'x'.repeat(9999))
  const { files, brotli } = await measureInitialJs(dist)
  expect(files.map(({ name }) => name).sort()).toEqual(['a', 'b', 'boot', 'c', 'd'].map((name) => `assets/${name}.js`))
  expect(brotli).toBe(files.reduce((sum, file) => sum + file.brotli, 0))
})

it('reads a default import, a namespace and several in a row', () => {
  expect(
    staticImports('import e,{a as t}from"./x.js";import*as n from"./y.js";import"./z.js";import("./no.js")'),
  ).toEqual(['./x.js', './y.js', './z.js'])
})
