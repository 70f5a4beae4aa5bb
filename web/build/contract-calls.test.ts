import { join } from 'node:path'
import { build } from 'vite'
import { expect, it, vi } from 'vitest'
import { contractCalls } from './contract-calls.ts'

vi.setConfig({ testTimeout: 60_000 })

const plugin = contractCalls()
const page = join(import.meta.dirname, '../src/page.ts')

/** The bundle of a page with this text, including everything it imports. */
async function built(text: string): Promise<string> {
  const result = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'silent',
    plugins: [
      plugin,
      {
        name: 'page',
        resolveId: (id) => (id === page ? id : undefined),
        load: (id) => (id === page ? text : undefined),
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      rolldownOptions: { input: page, preserveEntrySignatures: 'strict' },
    },
  })
  const outputs = 'output' in result ? result.output : []
  return outputs.map((one) => ('code' in one ? one.code : '')).join('')
}

const taking = (names: string, module: string) =>
  built(`import { ${names} } from '@quayside/contract/${module}'\nexport default [${names}]`)

it('an endpoint is where a call goes, and nothing else', async () => {
  const code = await taking('catalog', 'catalog/endpoints')
  const url = `data:text/javascript,${encodeURIComponent(code)}`
  const [table] = ((await import(url)) as { default: [Record<string, object>] }).default
  expect({ ...table.getItem }).toEqual({ service: 'catalog', method: 'GET', path: '/v2/items/:id' })
  expect(table.upload).toMatchObject({ method: 'POST', accepts: 'multipart' })
  expect(table.repositoryIndex).toMatchObject({ streams: true })
  expect(code).not.toContain('zod')
  expect(code.length).toBeLessThan(4000)
})

it('a page carries the calls that it makes and no others', async () => {
  const code = await built(
    "import { catalog } from '@quayside/contract/catalog/endpoints'\nexport default [catalog.getItem.path, catalog.setFeatured]",
  )
  expect(code).toContain('/featured/:featured')
  expect(code).not.toContain('/v2/manufacturers')
})

it('a constant beside schemas is its value, a module without schemas is taken as it is', async () => {
  expect(await taking('mostEventsAtOnce', 'http/paging')).toContain('5e3')
  expect(await taking('isWebLink', 'sidebar/rules')).toContain('URL.canParse')
})

it.each([
  ['Cluster', 'clusters/endpoints', 'Cluster of @quayside/contract/clusters/endpoints is a schema'],
  ['listOf', 'http/paging', 'listOf of @quayside/contract/http/paging stands beside schemas'],
])('%s is refused, and the refusal says what to do', async (name, module, message) => {
  await expect(taking(name, module)).rejects.toThrow(message)
})

it('zod is refused', async () => {
  await expect(built("import { z } from 'zod'\nexport default z.string()")).rejects.toThrow('imports zod: schemas are')
})
