import type { NamedPrincipal } from '@quayside/contract/permissions/permission-entry'
import { PrincipalPicker } from './principal-picker.tsx'

type Person = Pick<NamedPrincipal, 'id' | 'name'>

interface Props {
  spaceId: string
  label: string
  value: readonly Person[]
  onChange: (people: Person[]) => void
}

/** Chooses people of the tenant for something in a space. */
export function PeopleField({ spaceId, label, value, onChange }: Props) {
  const chosen = value.map(({ id, name }) => ({ ...{ type: 'user' as const, id, name }, detail: null, isGone: false }))
  return (
    <PrincipalPicker
      {...{ spaceId, label }}
      people
      optional
      value={chosen}
      onChange={(picked) => onChange(picked.map(({ id, name }) => ({ id, name })))}
    />
  )
}
