import { Menu } from '@mantine/core'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import { useState } from 'react'
import { keep, readKept } from '../../../lib/kept-json.ts'
import { type UrlState, useUrlState } from '../../../lib/url-state.ts'
import { Button } from '../../actions/button.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { TextField } from '../../forms/text-field.tsx'
import '../../theme/mantine.css'

interface Saved {
  name: string
  state: UrlState
}

const most = 20
const longestName = 60

const areSaved = (value: unknown): value is Saved[] =>
  Array.isArray(value) && value.every((one) => typeof one?.name === 'string' && typeof one?.state === 'object')

interface Props {
  /** The list whose filters these are: 'apps'. */
  list: string
  /** Keys of the address that belong to search, filters and sort. */
  keys: readonly string[]
}

/** Searches, filters and sorts of a list under names of one's own, kept in this browser. */
export function SavedFilters({ list, keys }: Props) {
  const place = `quayside.filters.${list}`
  const [state, setUrl] = useUrlState()
  const [saved, setSaved] = useState(() => readKept(place, areSaved) ?? [])
  const [naming, setNaming] = useState(false)
  const now = Object.fromEntries(keys.flatMap((key) => (state[key] ? [[key, state[key]]] : [])))
  const change = (next: Saved[]) => {
    keep(place, next)
    setSaved(next)
  }
  const none = Object.fromEntries(['skip', ...keys].map((key) => [key, '']))
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button icon={IconBookmark}>Saved filters</Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} maw={320} style={{ overflow: 'auto' }}>
          {saved.map((one) => (
            <Menu.Item key={one.name} onClick={() => setUrl({ ...none, ...one.state })}>
              <bdi>{one.name}</bdi>
            </Menu.Item>
          ))}
          {saved.length === 0 && <Menu.Label>Nothing is saved yet.</Menu.Label>}
          <Menu.Divider />
          <Menu.Item disabled={Object.keys(now).length === 0 || saved.length >= most} onClick={() => setNaming(true)}>
            Save these filters
          </Menu.Item>
          {saved.map(({ name }) => (
            <Menu.Item key={name} color="var(--bad)" onClick={() => change(saved.filter((one) => one.name !== name))}>
              Delete <bdi>{name}</bdi>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {naming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            change([...saved.filter((one) => one.name !== name), { name, state: now }])
            setNaming(false)
          }}
        />
      )}
    </>
  )
}

function NameDialog({ onName, onClose }: { onName: (name: string) => void; onClose: () => void }) {
  const [name, setName] = useState('')
  const given = name.trim()
  return (
    <FormDialog
      title="Save filters"
      submitLabel="Save"
      busy={false}
      disabled={given === ''}
      onClose={onClose}
      onSubmit={() => given !== '' && onName(given)}
    >
      <TextField
        label="Name"
        required
        data-autofocus
        dir="auto"
        maxLength={longestName}
        help="Kept in this browser. A name that exists already is replaced."
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
