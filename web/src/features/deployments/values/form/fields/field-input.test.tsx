import { changeValues, openValues } from '@quayside/values/form/values-model'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { drawInPortal } from '../../../../../testing/portal.tsx'
import { texts } from '../../../texts.ts'
import { ValuesForm } from '../values-form.tsx'

/** The form of a text, and the text as it is now. */
function formOf(yaml: string, schema?: unknown) {
  const now = { text: yaml }
  const before = openValues(yaml, schema).fields
  function Form() {
    const [model, setModel] = useState(() => openValues(yaml, schema))
    const edit: Parameters<typeof ValuesForm>[0]['values']['edit'] = (path, change) => {
      setModel((before) => {
        const next = changeValues(before, path, change)
        now.text = next.text
        return next
      })
    }
    return <ValuesForm values={{ model, edit }} defaults={before} place={{ clusterId: 'c', spaceId: 's' }} />
  }
  drawInPortal(<Form />)
  return now
}

describe('a text of several lines', () => {
  it('keeps its lines when one is changed', async () => {
    const now = formOf('config: |\n  [server]\n  port = 1\nother: x\n')
    const area = await screen.findByLabelText<HTMLTextAreaElement>('Config')
    expect(area.value).toBe('[server]\nport = 1\n')
    await userEvent.type(area, '2', { initialSelectionStart: 17, initialSelectionEnd: 17 })
    await userEvent.tab()
    await waitFor(() => expect(now.text).toBe('config: |\n  [server]\n  port = 12\nother: x\n'))
  })

  it('can be pasted where there was one line, also into what is masked', async () => {
    const now = formOf('# @MASKED\nkey: ""\nplain: ""\n')
    await userEvent.click(await screen.findByLabelText('Key'))
    await userEvent.paste('-----BEGIN\r\nabc\r\n')
    await userEvent.click(screen.getByLabelText('Plain'))
    await userEvent.paste('one line\n')
    await userEvent.tab()
    await waitFor(() =>
      expect(openValues(now.text, undefined).value).toEqual({ key: '-----BEGIN\nabc\n', plain: 'one line' }),
    )
  })
})

describe('what is required', () => {
  it('is asked for where somebody has emptied it, and not where the chart itself has nothing', async () => {
    const entry = { type: 'object', required: ['bucket'], properties: { bucket: { type: 'string' } } }
    const properties = { name: { type: 'string' }, places: { type: 'array', items: entry } }
    const now = formOf('name: ""\nplaces:\n  - bucket: ""\n', { required: ['name'], properties })
    const [name, bucket] = [await screen.findByLabelText('Name'), screen.getByLabelText('Bucket')]
    expect(screen.queryAllByRole('alert')).toEqual([])
    await userEvent.type(bucket, 'backups')
    await userEvent.type(name, 'x')
    await userEvent.tab()
    await waitFor(() => expect(now.text).toBe('name: "x"\nplaces:\n  - bucket: "backups"\n'))
    expect(screen.queryAllByRole('alert')).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Add' }))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Required'))
  })
})

describe('what is masked', () => {
  it('is masked entry by entry in a list and in a map, and stays what it is', async () => {
    const now = formOf('# @MASKED\nkeys:\n  - one\n  - two\n')
    const second = await screen.findByLabelText<HTMLInputElement>('Keys 2')
    expect([second.type, second.value]).toEqual(['password', 'two'])
    await userEvent.type(second, 'x')
    await userEvent.tab()
    await waitFor(() => expect(now.text).toBe('# @MASKED\nkeys:\n  - one\n  - twox\n'))
    cleanup()
    formOf('# @MASKED\nlogin:\n  word: secret\n')
    expect((await screen.findByLabelText<HTMLInputElement>('Word')).type).toBe('password')
  })

  const typeOf = async (name: string) => (await screen.findByLabelText<HTMLInputElement>(name)).type

  it('is the same here as where values are shown: by a name beside it, inside of a text, as a number, in a list', async () => {
    formOf(
      `env:
  - name: DB_PASSWORD
    value: hush
  - name: TZ
    value: UTC
dsn: postgres://shop:hush@db/shop
authToken: 471147
accessToken:
  - hush
passwordPolicy: strict
`,
    )
    const [secret, open] = await screen.findAllByLabelText<HTMLInputElement>('Value')
    expect([secret?.type, open?.type]).toEqual(['password', 'text'])
    expect(await typeOf('Auth Token')).toBe('password')
    expect(await typeOf('Access Token 1')).toBe('password')
    expect(await typeOf('Password Policy')).toBe('text')
    expect(await typeOf('Dsn')).toBe('password')
    const names = screen.getAllByLabelText('Name')
    await userEvent.type(names[1] as HTMLElement, '_TOKEN')
    await userEvent.tab()
    await waitFor(() =>
      expect(screen.getAllByLabelText<HTMLInputElement>('Value').map(({ type }) => type)).toEqual([
        'password',
        'password',
      ]),
    )
  })

  it('who types an address with a password into a plain text reads it, until they leave', async () => {
    const now = formOf('dsn: db\n')
    const dsn = await screen.findByLabelText<HTMLInputElement>('Dsn')
    await userEvent.clear(dsn)
    await userEvent.type(dsn, 'postgres://shop:hush@db')
    await waitFor(() => expect(now.text).toBe('dsn: postgres://shop:hush@db\n'))
    expect([document.activeElement, dsn.type]).toEqual([dsn, 'text'])
    await userEvent.tab()
    await userEvent.click(document.body)
    expect(dsn.type).toBe('password')
    await userEvent.click(screen.getByRole('button', { name: 'Show' }))
    expect(dsn.type).toBe('text')
  })

  it('keeps its type', async () => {
    const now = formOf('# @MASKED\npin: 12\n# @MASKED\nopen: true\n')
    const pin = await screen.findByLabelText('Pin')
    await userEvent.clear(pin)
    await userEvent.type(pin, '34')
    const open = screen.getByLabelText('Open')
    await userEvent.clear(open)
    await userEvent.type(open, 'false')
    await userEvent.tab()
    await waitFor(() => expect(now.text).toBe('# @MASKED\npin: 34\n# @MASKED\nopen: false\n'))
  })
})

it('what only the schema knows is changed when it is set, and not before', async () => {
  const now = formOf('a: 1\n', { properties: { later: { type: 'string' }, more: { type: 'array', items: {} } } })
  const later = await screen.findByLabelText('Later')
  expect(screen.queryByText('changed')).toBeNull()
  expect(screen.queryByText(/default: undefined/)).toBeNull()
  await userEvent.type(later, 'x')
  await userEvent.tab()
  await userEvent.click(await screen.findByRole('button', { name: `${texts.form.reset} Later` }))
  await waitFor(() => expect(now.text).toBe('a: 1\n'))
  expect(screen.queryByText('changed')).toBeNull()
})

it('what comes with a chosen form has no default of its own to go back to', async () => {
  const form = (kind: string) => ({ title: kind, required: ['kind'], properties: { kind: { const: kind } } })
  const now = formOf('store:\n  kind: s3\n', { properties: { store: { oneOf: [form('s3'), form('file')] } } })
  await userEvent.selectOptions(await screen.findByRole('combobox'), 'file')
  await waitFor(() => expect(now.text).toContain('kind: file'))
  expect(screen.queryByText(/default: s3/)).toBeNull()
  expect(screen.queryByRole('button', { name: `${texts.form.reset} Kind` })).toBeNull()
})

it('options that look alike are told apart, and the chosen one is written as what it is', async () => {
  const now = formOf('size: 1\n', { properties: { size: { enum: [1, '1', 2] } } })
  const size = await screen.findByLabelText<HTMLSelectElement>('Size')
  expect([...size.options].map(({ label, text }) => label || text)).toEqual(['1', '"1"', '2'])
  await userEvent.selectOptions(size, '"1"')
  expect(now.text).toBe('size: "1"\n')
  expect(size.selectedOptions[0]?.text).toBe('"1"')
  await userEvent.selectOptions(size, '1')
  expect(now.text).toBe('size: 1\n')
})

it('a value that is no option and looks like one says what it is', async () => {
  formOf('size: "1"\n', { properties: { size: { enum: [1, 2] } } })
  const size = await screen.findByLabelText<HTMLSelectElement>('Size')
  expect([...size.options].map(({ text }) => text)).toEqual(['"1"', '1', '2'])
})

it('a text of several lines has the width of the form, and a path that was found breaks behind its dots', async () => {
  formOf('notes:\n  welcome: |\n    one\n    two\n  title: x\n')
  const widths = async (name: string) => (await screen.findByLabelText(name)).closest('div')?.className
  expect(await widths('Welcome')).not.toBe(await widths('Title'))
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search: Find a setting' }), 'title')
  const label = (await screen.findByLabelText<HTMLInputElement>('notes.title')).labels?.[0]
  expect(label?.querySelectorAll('wbr')).toHaveLength(1)
})

it('what is wrong keeps the order of its signs where the page is read from the right', async () => {
  formOf('size: 4Gi\n', { properties: { size: { type: 'string', pattern: '^[0-9]+(Mi|Gi)$' } } })
  const wrong = await screen.findByLabelText('Size')
  await userEvent.clear(wrong)
  await userEvent.type(wrong, 'big')
  await userEvent.tab()
  const alert = await screen.findByRole('alert')
  expect(alert.querySelector('bdi')?.textContent).toBe(alert.textContent)
})

it('begins with its fullest group in sight', async () => {
  const seen: string[] = []
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    seen.push(this.textContent ?? '')
  })
  formOf(`${['a', 'b', 'c'].map((name) => `${name}:\n  x: 1\n`).join('')}last:\n  one: 1\n  two: 2\n`)
  await screen.findByLabelText('Two')
  expect(seen).toEqual(['Last2'])
})

/** Longer than typing rests before it is taken. */
const rest = () => act(() => vi.advanceTimersByTimeAsync(400))
const slowly = () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  return userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
}
afterEach(() => vi.useRealTimers())

it('a field of YAML keeps focus and text while somebody types slowly', async () => {
  const hand = slowly()
  const now = formOf('resources: {}\n')
  const resources = await screen.findByLabelText<HTMLTextAreaElement>('Resources')
  await hand.clear(resources)
  for (const part of ['c', 'pu', ':', ' 1']) {
    await hand.type(resources, part)
    await rest()
  }
  expect(document.activeElement).toBe(resources)
  await hand.tab()
  await waitFor(() => expect(now.text).toBe('resources:\n  cpu: 1\n'))
})

describe('a number', () => {
  it('stays as it is typed, however slowly', async () => {
    const hand = slowly()
    const now = formOf('share: 3\n')
    const share = await screen.findByLabelText<HTMLInputElement>('Share')
    await hand.clear(share)
    for (const part of ['1.0', '5']) {
      await hand.type(share, part)
      await rest()
    }
    expect([share.value, now.text]).toEqual(['1.05', 'share: 1.05\n'])
  })

  it('is octal with a zero before it, as Helm reads it', async () => {
    const now = formOf('mode: 0644\n')
    const mode = await screen.findByLabelText<HTMLInputElement>('Mode')
    expect(mode.value).toBe('420')
    await userEvent.clear(mode)
    await userEvent.type(mode, '0600')
    await userEvent.tab()
    await waitFor(() => expect(now.text).toBe('mode: 384\n'))
  })

  it('that cannot be written is said not to be, and one that nobody touched is not wrong', async () => {
    const now = formOf('big: 123456789012345678901234567890\n')
    const big = await screen.findByLabelText<HTMLInputElement>('Big')
    expect(big.getAttribute('aria-invalid')).toBe('false')
    await userEvent.clear(big)
    await userEvent.type(big, '99999999999999999999')
    await userEvent.tab()
    expect((await screen.findByRole('alert')).textContent).toBe(texts.form.noNumber)
    expect(now.text).toBe('big: 123456789012345678901234567890\n')
  })
})
