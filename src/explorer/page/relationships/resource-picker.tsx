import { useEffect, useId, useRef } from 'preact/hooks'
import { keyOf } from '../core/resources'
import type { ControlAttributes } from '../parts/labelled'
import { TypeDot } from '../parts/value'
import type { IdentifierWithLabel } from './identifier-with-label'
import { useResourcePicker } from './use-resource-picker'

interface ResourcePickerProps {
  readonly label: string
  readonly target: string
  readonly onPick: (picked: IdentifierWithLabel) => void
  /** Takes the focus when it is drawn. */
  readonly isFocused?: boolean
  /** Attributes that connect the input with an error. */
  readonly controlAttributes?: ControlAttributes
}

/** A text box that searches resources. https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
export function ResourcePicker({ label, target, onPick, isFocused = false, controlAttributes }: ResourcePickerProps) {
  const { text, isOpen, failure, isLoading, options, active, pick, write, setOpen, onKeyDown } = useResourcePicker(
    target,
    onPick,
  )
  const list = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused) input.current?.focus()
  }, [isFocused])
  return (
    <div class="picker">
      <input
        {...controlAttributes}
        ref={input}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={options[active] && `${list}-${active}`}
        placeholder={`Search ${target} …`}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => write(currentTarget.value)}
      />
      {isOpen && !isLoading && failure !== '' && (
        <p class="input-error" role="alert">
          {failure}
        </p>
      )}
      <div class="picker-list" id={list} role="listbox" aria-label={label} hidden={options.length === 0}>
        {options.map((option, index) => (
          <Option
            key={keyOf(option.identifier)}
            id={`${list}-${index}`}
            option={option}
            isActive={index === active}
            onPick={() => pick(option)}
          />
        ))}
      </div>
      {isOpen && options.length === 0 && (isLoading || failure === '') && (
        <p class="picker-list picker-note" role="status">
          {isLoading ? 'Searching …' : 'Nothing found.'}
        </p>
      )}
    </div>
  )
}

interface OptionProps {
  readonly id: string
  readonly option: IdentifierWithLabel
  readonly isActive: boolean
  readonly onPick: () => void
}

function Option({ id, option: { identifier, label }, isActive, onPick }: OptionProps) {
  // Without this, the press would take the focus from the input, which closes the list.
  const keepFocus = (event: Event) => event.preventDefault()
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text box.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text box handles the keys.
    <div
      role="option"
      id={id}
      aria-selected={isActive}
      onPointerDown={keepFocus}
      onMouseDown={keepFocus}
      onClick={onPick}
    >
      <TypeDot type={identifier.type} />
      <span class="picker-label">{label ?? `Use id ${identifier.id}`}</span>
      <span class="hint">
        {identifier.type} {identifier.id}
      </span>
    </div>
  )
}
