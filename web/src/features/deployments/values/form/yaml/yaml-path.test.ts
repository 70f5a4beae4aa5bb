import { expect, test } from 'vitest'
import { placeIn } from './yaml-path.ts'

const text = `# Values
image:
  repository: nginx
  "pull policy": Always

ports:
- name: http
  port: 80
- name: metrics
hosts:
  - name: a
    paths:
      - path: /
        kind: Prefix
empty:
  `
const lines = text.split('\n')
const at = (index: number, column: number) => {
  const { path, isValue, word } = placeIn((line) => lines[line] ?? '', index, column)
  return `${path.join('/')} ${isValue ? 'value' : 'name'} ${word}`.trim()
}

test('a place is named by the lines above it', () => {
  expect(at(1, 3)).toBe('image name ima')
  expect(at(2, 17)).toBe('image/repository value ngi')
  expect(at(3, 18)).toBe('image/pull policy value A')
  expect(at(6, 10)).toBe('ports/0/name value ht')
  expect(at(7, 8)).toBe('ports/0/port value')
  expect(at(11, 6)).toBe('hosts/0/paths name pa')
  expect(at(13, 14)).toBe('hosts/0/paths/0/kind value')
  expect(at(15, 2)).toBe('empty name')
})
