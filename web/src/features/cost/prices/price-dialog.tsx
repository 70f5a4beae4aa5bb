import type { PriceSheet } from '@quayside/contract/cost/prices'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { useSetPrices } from '../../../api/cost/prices.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { currencies } from '../../../lib/currencies.ts'
import { Button, IconButton } from '../../../ui/actions/button.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { Choice } from '../../../ui/forms/select.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { emptyForm, formOf, listPrices, type PriceForm, readForm } from './price-form.ts'
import styles from './prices.module.css'

interface Props {
  clusterId: string
  /** The prices in force, which the form begins with. */
  current: PriceSheet | undefined
  onClose: () => void
}

/** Sets the prices of a cluster from a moment on. */
export function PriceDialog({ clusterId, current, onClose }: Props) {
  const save = useSetPrices(clusterId)
  const [form, setForm] = useState(() => (current === undefined ? emptyForm('EUR') : formOf(current)))
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const refused = save.error instanceof ApiError ? save.error : undefined
  const of = (field: string) => wrong[field] ?? (refused?.field === field ? refused.message : undefined)
  const set = (change: Partial<PriceForm>) => setForm({ ...form, ...change })
  const submit = () => {
    const read = readForm(form)
    setWrong('wrong' in read ? read.wrong : {})
    if ('input' in read) save.mutate(read.input, { onSuccess: onClose })
  }
  const price = (field: 'coreHour' | 'memoryGibHour' | 'loadBalancerHour' | 'overheadHour', label: string) => (
    <TextField
      label={label}
      inputMode="decimal"
      required={field === 'coreHour' || field === 'memoryGibHour'}
      value={form[field]}
      error={of(field)}
      onChange={(event) => set({ [field]: event.target.value })}
    />
  )
  return (
    <FormDialog
      title="Set prices"
      submitLabel="Save"
      onClose={onClose}
      onSubmit={submit}
      busy={save.isPending}
      error={refused?.field !== undefined && of(refused.field) !== undefined ? undefined : save.error}
    >
      {current === undefined && (
        <div className={styles.offer}>
          <p>
            <bdi>OpenCost publishes list prices for clusters whose prices are unknown. Check them before you save.</bdi>
          </p>
          <Button small onClick={() => setForm({ ...listPrices(), validFrom: form.validFrom })}>
            Fill in OpenCost’s list prices
          </Button>
        </div>
      )}
      <Choice
        label="Currency"
        value={form.currency}
        options={currencies().map(({ code, name }) => ({ value: code, label: `${name} (${code})` }))}
        onChange={(currency) => set({ currency })}
      />
      <div className={styles.pair}>
        {price('coreHour', 'Core, per hour')}
        {price('memoryGibHour', 'GiB of memory, per hour')}
      </div>
      <StorageFields storage={form.storage} errorOf={of} onChange={(storage) => set({ storage })} />
      <div className={styles.pair}>
        {price('loadBalancerHour', 'Load balancer, per hour')}
        {price('overheadHour', 'Overhead of the cluster, per hour')}
      </div>
      <TextField
        label="Valid from"
        type="datetime-local"
        help={
          current === undefined
            ? 'Leave empty for now. The first prices may begin in the past.'
            : 'Leave empty for now. What has been spent keeps its prices.'
        }
        value={form.validFrom}
        error={of('validFrom')}
        onChange={(event) => set({ validFrom: event.target.value })}
      />
    </FormDialog>
  )
}

interface StorageProps {
  storage: PriceForm['storage']
  errorOf: (field: string) => string | undefined
  onChange: (storage: PriceForm['storage']) => void
}

/** A price for each storage class, and one for all others. */
function StorageFields({ storage, errorOf, onChange }: StorageProps) {
  const change = (at: number, part: Partial<PriceForm['storage'][number]>) =>
    onChange(storage.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <fieldset className={styles.classes}>
      <legend>Storage</legend>
      {errorOf('storage') !== undefined && (
        <p role="alert" className={styles.refused}>
          <bdi>{errorOf('storage')}</bdi>
        </p>
      )}
      {storage.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own while they are typed.
        <div key={at} className={styles.class}>
          <TextField
            label="Storage class"
            placeholder="Every other class"
            value={one.storageClass}
            error={errorOf(`storage.${at}.storageClass`)}
            onChange={(event) => change(at, { storageClass: event.target.value })}
          />
          <TextField
            label="GiB, per month"
            inputMode="decimal"
            value={one.gibMonth}
            error={errorOf(`storage.${at}.gibMonth`)}
            onChange={(event) => change(at, { gibMonth: event.target.value })}
          />
          <IconButton
            icon={IconTrash}
            label={`Remove the price of ${one.storageClass || 'every other class'}`}
            disabled={storage.length === 1}
            onClick={() => onChange(storage.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button small icon={IconPlus} onClick={() => onChange([...storage, { storageClass: '', gibMonth: '' }])}>
        Add a storage class
      </Button>
    </fieldset>
  )
}
