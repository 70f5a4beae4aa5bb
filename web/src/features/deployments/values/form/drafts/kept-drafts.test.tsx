import { openValues } from '@quayside/values/form/values-model'
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useMemo, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { drawInPortal } from '../../../../../testing/portal.tsx'
import { texts } from '../../../texts.ts'
import { FormNote } from '../form-note.tsx'
import { NextButton } from '../next-button.tsx'
import { useValues } from '../use-values.ts'
import { ValuesForm } from '../values-form.tsx'

// A machine may be busy with other things.
vi.setConfig({ testTimeout: 30_000 })
configure({ asyncUtilTimeout: 10_000 })

const place = { clusterId: 'c', spaceId: 's' }

/** A form beside its text, with what is said beside Next. */
async function stepOf(chart: string, schema?: unknown, given = chart) {
  const now = { text: given }
  function Step() {
    const [yaml, setYaml] = useState(given)
    const [isForm, setForm] = useState(true)
    const known = useMemo(() => openValues(chart, schema), [])
    now.text = yaml
    const values = useValues({ yaml, schema, isForm, known, onChange: setYaml })
    return (
      <>
        <button type="button" onClick={() => setForm(!isForm)}>
          other view
        </button>
        {isForm ? (
          <ValuesForm values={values} defaults={known.fields} place={place} />
        ) : (
          <textarea aria-label="text" value={yaml} onChange={(event) => setYaml(event.target.value)} />
        )}
        <FormNote values={values} yaml={yaml} isRefused={true} changes={0} />
        <NextButton values={values} isOpen={true} onNext={() => undefined} />
      </>
    )
  }
  drawInPortal(<Step />)
  await screen.findByRole('button', { name: texts.next })
  return now
}

const chart = `size: 3
web:
  a: 1
  b: 2
  c: 3
extra:
  resources: {}
  labels:
    tier: web
  list:
    - x: 1
    - x: 2
`
const next = () => screen.getByRole<HTMLButtonElement>('button', { name: texts.next })
const group = (name: RegExp) => userEvent.click(screen.getByRole('button', { name }))
const toggle = () => userEvent.click(screen.getByRole('button', { name: 'other view' }))
async function retype(label: string, text: string) {
  const input = await screen.findByLabelText<HTMLInputElement>(label)
  fireEvent.change(input, { target: { value: text } })
  fireEvent.blur(input)
  return input
}

describe('what is typed and cannot be written', () => {
  it('stays over another group and another view, and keeps Next shut with the name of its field', async () => {
    const now = await stepOf(chart)
    await group(/^General/)
    await retype('Size', 'many')
    expect(screen.getByText(`size: ${texts.form.noNumber}`)).toBeDefined()
    expect(next().disabled).toBe(true)
    await group(/^Web/)
    await toggle()
    expect(next().disabled).toBe(true)
    await toggle()
    await group(/^General/)
    expect(screen.getByLabelText<HTMLInputElement>('Size').value).toBe('many')
    expect(now.text).toBe(chart)
    await retype('Size', '4')
    await waitFor(() => expect(next().disabled).toBe(false))
    expect(now.text).toBe(chart.replace('size: 3', 'size: 4'))
  })

  it('is given up with what it was typed over', async () => {
    await stepOf(chart)
    await group(/^General/)
    await retype('Size', 'many')
    await toggle()
    fireEvent.change(screen.getByLabelText('text'), { target: { value: chart.replace('size: 3', 'size: 5') } })
    await waitFor(() => expect(next().disabled).toBe(false))
    await toggle()
    await group(/^General/)
    expect(screen.getByLabelText<HTMLInputElement>('Size').value).toBe('5')
  })

  it('may be YAML that cannot be read, which is named with what is wrong', async () => {
    const now = await stepOf(chart)
    await group(/^Extra/)
    await retype('Resources', 'a: [')
    expect(screen.getByText(/^extra\.resources: /)).toBeDefined()
    await group(/^Web/)
    await group(/^Extra/)
    expect(screen.getByLabelText<HTMLInputElement>('Resources').value).toBe('a: [')
    expect(next().disabled).toBe(true)
    await retype('Resources', 'a: 1')
    await waitFor(() => expect(now.text).toContain('  resources:\n    a: 1\n'))
    expect(next().disabled).toBe(false)
  })

  it('is told of a YAML field also before it is left', async () => {
    await stepOf(chart)
    await group(/^Extra/)
    fireEvent.change(screen.getByLabelText('Resources'), { target: { value: 'a: 1' } })
    expect(screen.getByText(`extra.resources: ${texts.form.notLeft}`)).toBeDefined()
    expect(next().disabled).toBe(true)
  })

  it('a value that breaks a rule is named when it is refused', async () => {
    const schema = { properties: { web: { properties: { a: { type: 'integer', maximum: 5 } } } } }
    await stepOf(chart, schema)
    await group(/^Web/)
    await retype('A', '9')
    expect(await screen.findByText('web.a: Enter 5 or less.')).toBeDefined()
  })
})

describe('the name of an entry', () => {
  it('is refused with a reason, and kept until it is added', async () => {
    const schema = {
      properties: {
        extra: {
          properties: {
            labels: {
              type: 'object',
              propertyNames: { maxLength: 8 },
              additionalProperties: { type: 'string' },
            },
          },
        },
      },
    }
    const now = await stepOf(chart, schema)
    await group(/^Extra/)
    const labels = screen.getByRole('group', { name: 'Labels' })
    const add = () => userEvent.click(screen.getAllByRole('button', { name: texts.form.add })[0] as HTMLElement)
    await add()
    expect(labels.textContent).toContain(texts.form.nameMissing)
    for (const [name, reason] of [
      ['tier', texts.form.nameTaken],
      ['__proto__', texts.form.nameBroken],
      [' a', texts.form.nameBroken],
      ['far-too-long', texts.form.nameForbidden],
    ] as const) {
      fireEvent.change(screen.getByLabelText(texts.form.newName), { target: { value: name } })
      await add()
      expect(labels.textContent).toContain(reason)
    }
    expect(now.text).toBe(chart)
    fireEvent.change(screen.getByLabelText(texts.form.newName), { target: { value: 'app' } })
    expect(screen.getByText(`extra.labels “app”: ${texts.form.notAdded}`)).toBeDefined()
    await group(/^Web/)
    await group(/^Extra/)
    expect(screen.getByLabelText<HTMLInputElement>(texts.form.newName).value).toBe('app')
    await add()
    await waitFor(() => expect(now.text).toContain('    tier: web\n    app: ""\n'))
    await waitFor(() => expect(next().disabled).toBe(false))
  })

  it('that cannot be is not forgotten without a word when it was there before', async () => {
    const now = await stepOf('labels:\n  tier: web\n  app: shop\n')
    await retype('Name of app', 'tier')
    expect(screen.getByText(texts.form.nameTaken)).toBeDefined()
    expect(next().disabled).toBe(true)
    await retype('Name of app', 'layer')
    // The chart would lay its own entry below again.
    await waitFor(() => expect(now.text).toBe('labels:\n  tier: web\n  layer: shop\n  app: null\n'))
    expect(next().disabled).toBe(false)
  })
})

describe('a comment in a field of YAML', () => {
  it('is written where it can be, also alone', async () => {
    const now = await stepOf('box:\n  free:\n    - a: 1\n    - 2\nb: 1\n')
    await group(/^Box/)
    await retype('Free', '# why\n- a: 1\n- 2 # two')
    await waitFor(() => expect(now.text).toBe('box:\n  free:\n    # why\n    - a: 1\n    - 2 # two\nb: 1\n'))
    expect(screen.getByLabelText<HTMLInputElement>('Free').value).toBe('# why\n- a: 1\n- 2 # two')
    await retype('Free', '- a: 1\n- 2')
    await waitFor(() => expect(now.text).toBe('box:\n  free:\n    - a: 1\n    - 2\nb: 1\n'))
  })

  it('is said not to be where it cannot', async () => {
    const now = await stepOf('box:\n  free: null\n  rest: {}\n')
    await retype('Free', '# nothing yet')
    expect(screen.getByText(`box.free: ${texts.form.onlyComment}`)).toBeDefined()
    expect(next().disabled).toBe(true)
    await retype('Free', 'null')
    fireEvent.change(screen.getByLabelText('Rest'), { target: { value: '{a: 1} # one' } })
    expect(screen.getByText(texts.form.lostComment)).toBeDefined()
    fireEvent.blur(screen.getByLabelText('Rest'))
    await waitFor(() => expect(now.text).toBe('box:\n  free: null\n  rest:\n    a: 1\n'))
  })
})

describe('numbers', () => {
  it('say how they are written', async () => {
    const now = await stepOf('mode: 0644\nport: 80\n')
    expect(screen.getByText(texts.form.notation('0644'))).toBeDefined()
    fireEvent.change(screen.getByLabelText('Port'), { target: { value: '0755' } })
    expect(screen.getByText(texts.form.writtenAs('493'))).toBeDefined()
    fireEvent.change(screen.getByLabelText('Mode'), { target: { value: '0x1a4' } })
    expect(screen.getByText(texts.form.sameNumber('420'))).toBeDefined()
    fireEvent.blur(screen.getByLabelText('Mode'))
    await waitFor(() => expect(now.text).toBe('mode: 0644\nport: 493\n'))
  })

  it('that nobody needs are unset when they are emptied', async () => {
    const now = await stepOf('a: 1\n', { properties: { a: { type: 'integer' }, later: { type: 'integer' } } })
    await retype('Later', '5')
    await waitFor(() => expect(now.text).toBe('a: 1\nlater: 5\n'))
    await retype('Later', '')
    await waitFor(() => expect(now.text).toBe('a: 1\n'))
    await retype('A', '')
    expect(screen.getByText(`a: ${texts.form.noNumber}`)).toBeDefined()
  })
})

it('the group that was chosen is shown again after the other view', async () => {
  await stepOf(chart)
  await group(/^Web/)
  await toggle()
  await toggle()
  expect(screen.getByRole('button', { name: /^Web/ }).getAttribute('aria-current')).toBe('true')
  expect(screen.getByLabelText('A')).toBeDefined()
})

it('a text that says little shows what the chart has, and asks for nothing that is there', async () => {
  const schema = { required: ['size', 'web'], properties: { size: { type: 'integer' } } }
  const now = await stepOf(chart, schema, 'web:\n  a: 7\n')
  await group(/^General/)
  expect(screen.getByLabelText<HTMLInputElement>('Size').value).toBe('3')
  expect(screen.queryByRole('alert')).toBeNull()
  await retype('Size', '8')
  await waitFor(() => expect(now.text).toBe('web:\n  a: 7\nsize: 8\n'))
})

it('a text without anything says why Next is shut', async () => {
  await stepOf(chart, undefined, '')
  expect(screen.getByText(texts.infrastructure.empty)).toBeDefined()
  await group(/^General/)
  expect(screen.getByLabelText<HTMLInputElement>('Size').value).toBe('3')
})

it('an entry of a list or map has its forms to choose from, and begins as its name asks', async () => {
  const form = (kind: string, name: string) => ({
    title: kind,
    additionalProperties: false,
    required: ['kind'],
    properties: { kind: { const: kind }, [name]: { type: 'string' } },
  })
  const either = { type: 'object', oneOf: [form('Disk', 'path'), form('Claim', 'claim')] }
  const schema = {
    properties: {
      volumes: { type: 'array', items: either },
      env: {
        type: 'object',
        additionalProperties: false,
        patternProperties: { '^[a-z]+$': { type: 'string' }, '^[A-Z]+$': { type: 'integer', minimum: 2 } },
      },
    },
  }
  const now = await stepOf('volumes:\n  - kind: Disk\n    path: /a\nenv:\n  a: x\n', schema)
  fireEvent.change(screen.getByLabelText(`${texts.form.kindOf} Volumes 1`), { target: { value: '1' } })
  await waitFor(() => expect(now.text).toBe('volumes:\n  - kind: Claim\nenv:\n  a: x\n'))
  expect(screen.getByLabelText('Claim')).toBeDefined()
  fireEvent.change(screen.getByLabelText(texts.form.newName), { target: { value: 'B' } })
  fireEvent.keyDown(screen.getByLabelText(texts.form.newName), { key: 'Enter' })
  await waitFor(() => expect(now.text).toContain('env:\n  a: x\n  B: 2\n'))
  fireEvent.change(screen.getByLabelText(texts.form.newName), { target: { value: '1' } })
  expect(screen.getByText(/^Must match/)).toBeDefined()
})
