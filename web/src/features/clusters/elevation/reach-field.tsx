import type { NetworkReach } from '@quayside/contract/clusters/network-reach'
import { useState } from 'react'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { FieldGroup } from '../../../ui/forms/field-group.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'

interface Props {
  value: NetworkReach
  onChange: (reach: NetworkReach) => void
}

/** Asks for what pods of a space reach beside each other and DNS. */
export function ReachField({ value, onChange }: Props) {
  return (
    <FieldGroup legend="Pods also reach">
      <Checkbox checked={value.internet} onChange={(internet) => onChange({ ...value, internet })}>
        The internet, without private addresses
      </Checkbox>
      <Checkbox checked={value.apiServer} onChange={(apiServer) => onChange({ ...value, apiServer })}>
        The API server of the cluster, which operators need
      </Checkbox>
      <Checkbox checked={value.chartPolicies} onChange={(chartPolicies) => onChange({ ...value, chartPolicies })}>
        Whatever network policies of charts open, metadata addresses of a cloud included
      </Checkbox>
      <WordsField
        label="Further namespaces"
        help="With commas between them. They reach the pods of the space as well."
        value={value.namespaces}
        onChange={(namespaces) => onChange({ ...value, namespaces })}
      />
      <WordsField
        label="Further addresses"
        help="Such as 10.20.0.0/16, with commas between them."
        value={value.addresses}
        onChange={(addresses) => onChange({ ...value, addresses })}
      />
    </FieldGroup>
  )
}

interface WordsProps {
  label: string
  help: string
  value: readonly string[]
  onChange: (words: string[]) => void
}

function WordsField({ label, help, value, onChange }: WordsProps) {
  const [text, setText] = useState(value.join(', '))
  return (
    <TextField
      label={label}
      help={help}
      className="mono"
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange(event.target.value.split(/[\s,]+/).filter((word) => word !== ''))
      }}
    />
  )
}
