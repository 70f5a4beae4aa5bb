import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'
import { expect, it } from 'vitest'
import { crdNames } from './crd-names.ts'

const definition = (name: string) => `kind: CustomResourceDefinition\nmetadata: {name: ${name}}\n`

it('names what lies in the crds folders of the chart and its subcharts, and reads nothing else', async () => {
  const pack = tar.pack()
  for (const [path, body] of Object.entries({
    'shop/Chart.yaml': 'name: shop\n',
    'shop/crds/carts.yaml': `${definition('carts.shop.io')}---\n${definition('tills.shop.io')}`,
    'shop/charts/queue/crds/v1/queues.json': JSON.stringify({
      kind: 'CustomResourceDefinition',
      metadata: { name: 'queues.shop.io' },
    }),
    'shop/charts/crds/templates/guarded.yaml': `{{- if .Values.crds }}\n${definition('rendered.shop.io')}{{- end }}\n`,
    'shop/templates/crds/own.yaml': '{{ include "own" . }}\n',
  }))
    pack.entry({ name: path }, body)
  pack.finalize()
  const bytes = await buffer(pack.pipe(createGzip()))
  expect((await crdNames(bytes)).sort()).toEqual(['carts.shop.io', 'queues.shop.io', 'tills.shop.io'])
})
