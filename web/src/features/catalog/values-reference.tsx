import { directivesOf } from '@quayside/values/form/directives'
import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import { fieldsOf } from '@quayside/values/form/fields'
import { maskedDefaults } from '@quayside/values/secrets/masked-sides'
import { secretMark } from '@quayside/values/secrets/secret-mark'
import { useMemo, useState } from 'react'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { ToggleChip } from '../../ui/lists/filter-chip.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { CodeView } from '../../ui/text/code-view.tsx'
import styles from './values-reference.module.css'

interface Row {
  path: string
  type: string
  value: string
  text: string
}

const columns: readonly Column<Row>[] = [
  { key: 'path', title: 'Key', sortBy: ({ path }) => path, cell: ({ path }) => <code className="ltr">{path}</code> },
  { key: 'type', title: 'Type', sortBy: ({ type }) => type, cell: ({ type }) => type },
  { key: 'value', title: 'Default', cell: ({ value }) => <code className="ltr">{value}</code> },
  { key: 'text', title: 'Description', long: true, cell: ({ text }) => <bdi>{text}</bdi> },
]
const maxShown = 80

/** Every value of a version: key, type, default and what its comment says; or the file itself. */
export function ValuesReference({ valuesYaml, schema }: { valuesYaml: string; schema: unknown }) {
  const [search, setSearch] = useState('')
  const [raw, setRaw] = useState(false)
  // A chart's own secrets are not shown either.
  const open = useMemo(() => maskedDefaults({ valuesYaml, valuesSchema: schema }) ?? '', [valuesYaml, schema])
  const rows = useMemo(() => rowsOf(fieldsOf(open, schema)), [open, schema])
  const wanted = search.trim().toLowerCase()
  const shown = rows.filter((row) => `${row.path} ${row.text}`.toLowerCase().includes(wanted))
  return (
    <>
      <div className={styles.head}>
        <SearchField label="Key, description" value={search} onChange={setSearch} />
        <ToggleChip label="values.yaml" active={raw} onToggle={setRaw} />
      </div>
      {raw ? (
        <CodeView label="values.yaml" code={open} maxHeight="70vh" />
      ) : (
        <DataTable
          sorts="all rows are here"
          label="Values"
          columns={columns}
          rows={shown}
          rowKey={({ path }) => path}
          empty={<EmptyState title="No value matches" />}
        />
      )}
    </>
  )
}

function rowsOf(fields: readonly FieldConfiguration[], parent = ''): Row[] {
  return fields.flatMap((field) => {
    const path = parent === '' ? (field.name ?? '') : `${parent}.${field.name ?? ''}`
    if (field.type === 'object' && field.objects.length > 0) return rowsOf(field.objects, path)
    const said = directivesOf(field.comments)
    const value =
      field.type === 'password' || said.masked
        ? secretMark
        : field.type === 'array'
          ? `${field.collections.length} entries`
          : String(field.value ?? '')
    return [
      {
        path,
        type: field.type,
        value: value.length > maxShown ? `${value.slice(0, maxShown)}…` : value,
        text: said.text.join(' '),
      },
    ]
  })
}
