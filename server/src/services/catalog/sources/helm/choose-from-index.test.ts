import { expect, test } from 'vitest'
import { offersOf } from './choose-from-index.ts'

const base = 'https://charts.example.org/stable/'
const entry = (name: string, version: string, url: string) =>
  `    - {name: ${name}, version: ${version}, urls: [${url}]}\n`
const asked = (text: string, charts: string[] = []) =>
  offersOf({ text, base, wanted: { charts, versions: 1, prereleases: false } })

test('charts by their patterns, with the address of each package in full and everything that is there', () => {
  const text = `entries:
  web:
${entry('web', '1.0.0', 'web.tgz')}${entry('web', '1.1.0', 'https://mirror.example.org/w.tgz')}
  web-old:
${entry('web-old', '1.0.0', 'old.tgz')}
  db:
${entry('db', '1.0.0', 'db.tgz')}`
  const [newest, db] = [
    { chart: 'web', version: '1.1.0', digest: null, url: 'https://mirror.example.org/w.tgz', obstacle: null },
    { chart: 'db', version: '1.0.0', digest: null, url: `${base}db.tgz`, obstacle: null },
  ]
  expect(asked(text, ['web*', '!web-old'])).toEqual({
    ...{ offers: [newest], leftOut: [], there: ['web 1.0.0', 'web 1.1.0'] },
  })
  expect(asked(text, ['d?'])).toEqual({ offers: [db], leftOut: [], there: ['db 1.0.0'] })
})

test.each([
  ['a library', '{name: web, version: 1.0.0, urls: [a], type: library}', 'library chart'],
  ['one of a registry', '{name: web, version: 1.0.0, urls: ["oci://r.example.org/web"]}', 'Add that registry'],
  ['one without an address', '{name: web, version: 1.0.0, urls: ["http://["]}', 'no address'],
])('leaves out %s', (_, entry, why) => {
  expect(asked(`entries:\n  web:\n    - ${entry}\n`)).toMatchObject({
    offers: [],
    leftOut: [{ chart: 'web', version: '1.0.0', message: expect.stringContaining(why) }],
  })
})
