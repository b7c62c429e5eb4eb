/** The format `date-time` of the contract, quicker for times as this mock itself writes them (behaviour T9). */
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Days that every month has. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const { validate: isAny } = fullFormats['date-time'] as { validate(text: string): boolean }; // it is a function with an order

/** Whether a text is a time of RFC 3339; 31 February is none. */
export const isDateTime = (text: string): boolean => USUAL.test(text) || isAny(text);
