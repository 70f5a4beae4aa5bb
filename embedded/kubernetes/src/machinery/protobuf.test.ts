import { expect, test } from 'vitest'
import { decodeProtobuf } from './protobuf.ts'

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)])
const field = (number: number, value: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes])
}
const integer = (number: number, value: number): Buffer => Buffer.from([...varint(number << 3), value])
const join = (...parts: Buffer[]) => Buffer.concat(parts)
const entry = (key: string, value: string) => join(field(1, key), field(2, value))

const sent = (apiVersion: string, kind: string, message: Buffer) =>
  join(Buffer.from('k8s\0'), field(1, join(field(1, apiVersion), field(2, kind))), field(2, message))

test('a release Secret reads as its JSON', () => {
  const metadata = join(
    field(1, 'sh.helm.release.v1.web.v1'),
    field(3, 'default'),
    field(8, ''),
    field(11, entry('owner', 'helm')),
  )
  const message = join(field(1, metadata), field(2, entry('release', 'H4sI')), field(3, 'helm.sh/release.v1'))
  expect(decodeProtobuf(sent('v1', 'Secret', message))).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'sh.helm.release.v1.web.v1', namespace: 'default', labels: { owner: 'helm' } },
    data: { release: Buffer.from('H4sI').toString('base64') },
    type: 'helm.sh/release.v1',
  })
})

test('parts that count as their parent are laid into it, zeros of Go are left out', () => {
  const secret = join(field(1, join(field(1, 'creds'))), field(2, 'password'))
  const env = join(field(1, 'PW'), field(3, field(4, secret)))
  const container = join(field(1, 'web'), field(2, 'nginx'), field(5, ''), field(7, env), integer(16, 0))
  const volume = join(field(1, 'tmp'), field(2, field(2, '')))
  const message = field(2, join(field(1, volume), field(2, container)))
  expect(decodeProtobuf(sent('v1', 'Pod', message)).spec).toEqual({
    volumes: [{ name: 'tmp', emptyDir: {} }],
    containers: [
      {
        name: 'web',
        image: 'nginx',
        env: [{ name: 'PW', valueFrom: { secretKeyRef: { name: 'creds', key: 'password' } } }],
      },
    ],
  })
})

test('ports by number and by name', () => {
  const port = (target: Buffer) => field(1, join(integer(3, 80), field(4, target)))
  const ports = join(
    port(join(integer(1, 0), integer(2, 90), field(3, ''))),
    port(join(integer(1, 1), integer(2, 0), field(3, 'http'))),
  )
  expect(decodeProtobuf(sent('v1', 'Service', field(2, ports))).spec).toEqual({
    ports: [
      { port: 80, targetPort: 90 },
      { port: 80, targetPort: 'http' },
    ],
  })
})

test.each([
  ['no mark', Buffer.from('{}'), 400],
  ['cut off', sent('v1', 'Secret', field(3, 'Opaque')).subarray(0, -3), 400],
  ['text that is none', sent('v1', 'Secret', field(3, Buffer.from([0xff, 0xfe]))), 400],
  ['an unknown kind', sent('v9', 'Thing', Buffer.alloc(0)), 415],
])('%s is refused', (_what, bytes, code) => {
  expect(() => decodeProtobuf(bytes)).toThrow(expect.objectContaining({ code }))
})
