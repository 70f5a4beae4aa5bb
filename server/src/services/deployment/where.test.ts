import { expect, test } from 'vitest'
import { whereOf } from './where.ts'

const yaml = '# values\nimage:\n  tag: x\nissuer:\n  kind: a\n'
const values = { image: { tag: 'x' }, issuer: { kind: 'a' } }

test('what Helm says of a value is found in the values', () => {
  const said = 'template: web/templates/a.yaml:3:5: executing "a" at <.Values.image.tag>: wrong type'
  expect(whereOf(said, yaml, values)).toEqual({ path: 'image.tag', line: 3 })
  expect(whereOf('execution error at (a.yaml:1:1): Please set issuer.email', yaml, values)).toEqual({
    path: 'issuer.email',
    line: 5,
  })
  expect(whereOf('templates/a.yaml is broken', yaml, values)).toEqual({})
})
