import { expect, test } from 'vitest'
import { whereOf } from './value-location.ts'

const yaml = '# values\nimage:\n  tag: x\nissuer:\n  kind: a\n'
const values = { image: { tag: 'x' }, issuer: { kind: 'a' } }

test('what Helm says of a value is found in the values', () => {
  const said = 'template: web/templates/a.yaml:3:5: executing "a" at <.Values.image.tag>: wrong type'
  const other = 'execution error at (a.yaml:1:1): Please set issuer.email'
  expect(whereOf([said, 'templates/a.yaml is broken', other], yaml, values)).toEqual([
    { path: 'image.tag', line: 3 },
    {},
    { path: 'issuer.email', line: 5 },
  ])
  expect(whereOf([], yaml, values)).toEqual([])
})
