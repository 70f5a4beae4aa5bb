import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import tar from 'tar-stream'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../platform/http/errors.ts'
import { inspectChart } from './inspect.ts'
import { type Packed, packedInMemory } from './packed.ts'
import { newBudget, readArchive } from './read-archive.ts'

type Entry = { name: string; body?: string | Buffer; type?: tar.Header['type']; linkname?: string }

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = tar.pack()
  const bytes = buffer(archive)
  for (const { name, body = '', type = 'file', linkname } of entries) archive.entry({ name, type, linkname }, body)
  archive.finalize()
  return bytes
}

async function packed(entries: readonly Entry[]): Promise<Buffer> {
  return gzipSync(await tarOf(entries))
}

const chartYaml = 'apiVersion: v2\nname: shop\nversion: 1.2.0\n'
const good: Entry[] = [
  { name: 'shop/Chart.yaml', body: chartYaml },
  { name: 'shop/values.yaml', body: 'replicas: 1\n' },
  { name: 'shop/templates/a.yaml', body: 'kind: ConfigMap\n' },
]
const withFile = (name: string, body: string | Buffer) => packed([...good, { name: `shop/${name}`, body }])
const withChart = (body: string, ...more: Entry[]) => packed([{ name: 'shop/Chart.yaml', body }, ...more])
const schema = (text: string) => withFile('values.schema.json', text)

/** The archive as an upload arrives: in chunks that begin and end anywhere. */
function inChunks(bytes: Buffer, chunkBytes: number): Packed {
  return {
    size: bytes.length,
    async *chunks() {
      for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes)
    },
  }
}

async function refusalOf(packed: Packed): Promise<Failure> {
  const start = performance.now()
  try {
    await inspectChart(packed)
  } catch (error) {
    expect(performance.now() - start).toBeLessThan(5000)
    expect(error).toBeInstanceOf(Failure)
    return error as Failure
  }
  throw new Error('it was not refused')
}

describe('a package that cannot be used', () => {
  const cases: [string, () => Buffer | Promise<Buffer>, RegExp][] = [
    ['no archive at all', () => Buffer.from('hello, this is plain text, nothing else'), /not a gzip/],
    ['nothing', () => Buffer.alloc(0), /not a gzip/],
    ['gzip of something else', () => gzipSync(Buffer.alloc(2000, 'x')), /not a tar/],
    ['a truncated archive', async () => (await packed(good)).subarray(0, 150), /cut off/],
    ['a truncated tar', async () => gzipSync((await tarOf(good)).subarray(0, 700)), /cut off/],
    [
      'damaged data',
      async () => damaged(await packed([...good, { name: 'shop/r', body: 'abc'.repeat(999) }])),
      /damaged|tar/,
    ],
    [
      'something behind the end',
      async () => Buffer.concat([await packed(good), Buffer.from('trailing')]),
      /behind the end/,
    ],
    [
      'a symbolic link',
      () => packed([...good, { name: 'shop/x', type: 'symlink', linkname: '/etc/passwd' }]),
      /^shop\/x: .*symbolic link/,
    ],
    [
      'a hard link',
      () => packed([...good, { name: 'shop/x', type: 'link', linkname: 'shop/values.yaml' }]),
      /hard link/,
    ],
    ['a device', () => packed([...good, { name: 'shop/x', type: 'character-device' }]), /device/],
    ['a way out', () => packed([...good, { name: 'shop/../../x', body: '' }]), /leads out/],
    ['an absolute name', () => packed([...good, { name: '/etc/x', body: '' }]), /absolute/],
    ['a backslash', () => packed([...good, { name: 'shop\\x', body: '' }]), /backslash/],
    ['a folder too deep', () => packed([...good, { name: `shop/${'d/'.repeat(20)}x` }]), /folders deep/],
    ['two charts', () => packed([...good, { name: 'other/Chart.yaml', body: chartYaml }]), /one folder/],
    ['files without a folder', () => packed([{ name: 'Chart.yaml', body: chartYaml }]), /one folder/],
    [
      'two files named Chart.yaml',
      () => packed([...good, { name: 'shop/Chart.yaml', body: chartYaml }]),
      /^shop\/Chart.yaml: .*twice/,
    ],
    [
      'the same name written otherwise',
      () => packed([...good, { name: 'shop/./Chart.yaml', body: chartYaml }]),
      /twice/,
    ],
    ['200 000 entries', () => manyEntries(200_000), /2000 entries/],
    ['a large file', () => withFile('big', Buffer.alloc(5 * 1024 * 1024, 'ab')), /^shop\/big: .*4 MiB/],
    ['a bomb', () => withFiles(40, Buffer.alloc(3 * 1024 * 1024)), /100 times|MiB/],
    ['no Chart.yaml', () => packed([{ name: 'shop/values.yaml', body: 'a: 1' }]), /not a chart/],
    ['a broken Chart.yaml', () => withChart('name: [\n'), /^Chart.yaml: .*line/],
    ['an unknown apiVersion', () => withChart('apiVersion: v3\nname: a\nversion: 1.0.0'), /v1 or v2/],
    ['no name', () => withChart('apiVersion: v2\nversion: 1.0.0'), /name is missing/],
    ['a name like an option', () => withChart('apiVersion: v2\nname: --debug\nversion: 1.0.0'), /name must be/],
    ['a name with a path', () => withChart('apiVersion: v2\nname: a/../b\nversion: 1.0.0'), /name must be/],
    ['a version that is none', () => withChart('apiVersion: v2\nname: a\nversion: latest'), /semantic version/],
    ['a library', () => withChart(`${chartYaml}type: library`), /library chart/],
    ['a missing dependency', () => withChart(`${chartYaml}dependencies: [{name: redis, version: 1.x}]`), /redis/],
    ['a missing older dependency', () => withFile('requirements.yaml', 'dependencies: [{name: redis}]'), /redis/],
    ['values 50 000 levels deep', () => deepValues(), /^values.yaml: .*levels deep/],
    ['values of aliases', () => aliasValues(), /^values.yaml: /],
    [
      'a name in its values that nobody here can keep',
      () => packed([...good.slice(0, 1), { name: 'shop/values.yaml', body: 'a: 1\nb: {constructor: 1}\n' }]),
      /^values.yaml: line 2: constructor cannot be a name in values: .*another name\.$/,
    ],
    [
      'values that are a list',
      () => packed([...good.slice(0, 1), { name: 'shop/values.yaml', body: '- 1' }]),
      /not a map/,
    ],
    [
      'a schema that reads a file',
      () => schema('{"properties": {"a": {"$ref": "file:///etc/passwd"}}}'),
      /file:\/\/\/etc\/passwd/,
    ],
    [
      'a schema that asks another machine',
      () => schema('{"allOf": [{"$dynamicRef": "http://127.0.0.1/x"}]}'),
      /only references within/,
    ],
    ['a schema with a relative reference', () => schema('{"$ref": "other.json"}'), /other.json/],
    ['a schema in a foreign dialect', () => schema('{"$schema": "file:///dev/zero"}'), /dev\/zero/],
    [
      'a schema of a subchart that does',
      () => subchart({ 'values.schema.json': '{"$ref": "file:///x"}' }),
      /^charts\/redis\/values.schema.json/,
    ],
    ['a schema that is no JSON', () => schema('{'), /not JSON/],
    ['a schema too deep', () => schema('['.repeat(50_000)), /levels deep/],
    ['an icon with a script', () => withFile('icon.svg', '<svg><script>1</script></svg>'), /script/],
    ['an icon that loads', () => withFile('icon.svg', '<svg><image href="http://x/y"/></svg>'), /elsewhere/],
    ['an icon that is none', () => withFile('icon.png', 'text'), /image\/png/],
    [
      'a link in a packed subchart',
      () => nested([{ name: 'redis/x', type: 'symlink', linkname: '/' }]),
      /^charts\/redis-1.tgz\/redis\/x/,
    ],
    ['a bomb in a packed subchart', async () => nested(await bombEntries()), /MiB|times/],
  ]
  it.each(cases)('%s', async (_, make, why) => {
    const bytes = await make()
    for (const packed of [packedInMemory(bytes), inChunks(bytes, 997)]) {
      const refusal = await refusalOf(packed)
      expect(refusal.message).toMatch(why)
      expect(refusal).toMatchObject({ code: 'catalog.package-refused', status: 400, field: 'file' })
    }
  })

  it('anything behind its end, wherever the chunks begin', async () => {
    const archive = await packed(good)
    for (const more of [Buffer.alloc(1), Buffer.alloc(600), Buffer.from('x'), Buffer.from([0x1f, 0x8b])]) {
      const bytes = Buffer.concat([archive, more])
      for (const chunkBytes of [1, archive.length, archive.length + 1]) {
        expect((await refusalOf(inChunks(bytes, chunkBytes))).message).toMatch(/behind the end|cut off/)
      }
    }
  })

  it('a read that fails is no refusal of the package', async () => {
    const broken = new Error('read failed')
    const unreadable: Packed = {
      size: 1000,
      async *chunks() {
        yield (await packed(good)).subarray(0, 100)
        throw broken
      },
    }
    await expect(inspectChart(unreadable)).rejects.toBe(broken)
  })

  it('a NUL in a name', async () => {
    const bytes = await tarOf([{ name: 'shop/PAX', body: '' }])
    const long = await tarOf([...good, { name: `shop/${'x'.repeat(120)}\u0001y`, body: '' }])
    expect((await refusalOf(packedInMemory(gzipSync(long)))).message).toMatch(/control character|NUL/)
    expect(bytes.length).toBeGreaterThan(0)
  })
})

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = 60; at < 90; at += 1) copy[at] = (copy[at] ?? 0) ^ 0xa5
  return copy
}
async function manyEntries(count: number): Promise<Buffer> {
  const one = (await tarOf([{ name: 'shop/x', type: 'directory' }])).subarray(0, 512)
  return gzipSync(Buffer.concat([...Array.from({ length: count }, () => one), Buffer.alloc(1024)]))
}
function withFiles(count: number, body: Buffer): Promise<Buffer> {
  return packed([...good, ...Array.from({ length: count }, (_, i) => ({ name: `shop/f${i}`, body }))])
}
function deepValues(): Promise<Buffer> {
  return packed([...good.slice(0, 1), { name: 'shop/values.yaml', body: `a: ${'['.repeat(50_000)}` }])
}
function aliasValues(): Promise<Buffer> {
  const lines = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (const [i, name] of [...'bcdefghi'].entries()) {
    lines.push(`${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[i]}`).join(',')}]`)
  }
  return packed([...good.slice(0, 1), { name: 'shop/values.yaml', body: lines.join('\n') }])
}
function subchart(files: Record<string, string>): Promise<Buffer> {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: redis\nversion: 1.0.0', ...files }
  return packed([...good, ...Object.entries(all).map(([name, body]) => ({ name: `shop/charts/redis/${name}`, body }))])
}
async function nested(entries: readonly Entry[]): Promise<Buffer> {
  const chart = { name: 'redis/Chart.yaml', body: 'apiVersion: v2\nname: redis\nversion: 1.0.0' }
  return withFile('charts/redis-1.tgz', await packed([chart, ...entries]))
}
async function bombEntries(): Promise<Entry[]> {
  return Array.from({ length: 12 }, (_, i) => ({ name: `redis/f${i}`, body: Buffer.alloc(3 * 1024 * 1024) }))
}

describe('a package that can', () => {
  it('is packed anew in one way, whatever its order, times and form', async () => {
    const one = await inspectChart(packedInMemory(await packed(good)))
    const other = await inspectChart(
      packedInMemory(await packed([{ name: './shop', type: 'directory' }, ...[...good].reverse()])),
    )
    expect(other.package.digest).toBe(one.package.digest)
    const slow = await inspectChart(inChunks(await packed(good), 1))
    expect(slow.package.digest).toBe(one.package.digest)
    const files = await readArchive(packedInMemory(one.package.bytes), newBudget(one.package.bytes.length))
    expect([...files.keys()]).toEqual(['Chart.yaml', 'templates/a.yaml', 'values.yaml'])
    expect(one.package.digest).not.toBe(
      (await inspectChart(packedInMemory(await withFile('more', 'x')))).package.digest,
    )
  })

  it('may hold packed subcharts, which become folders', async () => {
    const dependencies = 'dependencies: [{name: redis, version: 1.x}]'
    const inner = await packed([{ name: 'redis/Chart.yaml', body: 'apiVersion: v2\nname: redis\nversion: 1.0.0' }])
    const bytes = await withChart(chartYaml + dependencies, { name: 'shop/charts/redis-1.0.0.tgz', body: inner })
    const { package: own } = await inspectChart(packedInMemory(bytes))
    const files = await readArchive(packedInMemory(own.bytes), newBudget(own.bytes.length))
    expect([...files.keys()]).toContain('charts/redis-1.0.0/Chart.yaml')
  })

  it('is read for what it says', async () => {
    const about = [
      'description: Sells things. And more.',
      'keywords: [web, postgresql]',
      'home: https://www.shop.example/x',
      'annotations: {quayside.io/featured: "true", quayside.io/resource-roles: "viewer, editor"}',
    ].join('\n')
    const readme = { name: 'shop/README.md', body: '# Shop' }
    const icon = { name: 'shop/icon.svg', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
    const found = await inspectChart(packedInMemory(await withChart(`${chartYaml}${about}`, readme, icon)))
    expect(found.metadata).toMatchObject({
      type: 'App',
      appType: 'Containerized',
      displayName: 'Shop',
      shortDescription: 'Sells things.',
      category: 'Database',
      manufacturer: { id: 'shop-example', name: 'shop.example' },
      tags: ['web', 'postgresql'],
      resourceRoles: ['viewer', 'editor'],
      featured: true,
    })
    expect(found.metadata.color).toMatch(/^#[0-9a-f]{6}$/)
    expect(found.icon.iconEmbedded).toMatch(/^data:image\/svg\+xml;base64,/)
    expect(found).toMatchObject({ readme: '# Shop', valuesYaml: '', valuesSchema: null })
  })

  it('may have a schema that refers to itself and names of values that look like words of it', async () => {
    const text =
      '{"$schema":"http://json-schema.org/draft-07/schema#","$id":"https://x.example/s","properties":{"$ref":{"$ref":"#/definitions/a"}},"definitions":{"a":{}}}'
    expect((await inspectChart(packedInMemory(await schema(text)))).valuesSchema).toMatchObject({
      definitions: { a: {} },
    })
  })
})
