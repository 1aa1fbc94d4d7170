// Declares imported files that are not TypeScript. The .bin and .js files are generated, and may not exist yet.

declare module "*.bin" {
  const path: string;
  export default path;
}

type ValidatorOf<Value> = import("#kit/text/schema-mismatch.ts").Validator<Value>;

declare module "*/validators/calibration.js" {
  export const validate: ValidatorOf<import("#tokens/estimators/user-calibration.ts").Calibration>;
}

declare module "*/validators/config.js" {
  export const validate: ValidatorOf<import("./storage/config/config-file.ts").ConfigFile>;
}

declare module "*/validators/day-totals.js" {
  export const validate: ValidatorOf<import("./storage/prune/totals-file.ts").TotalsFile>;
}

declare module "*/validators/lock.js" {
  export const validate: ValidatorOf<import("#lock/lock.ts").Lock>;
}

declare module "*/validators/calls.js" {
  export const validate: ValidatorOf<import("#check/plan-calls.ts").RawDocument>;
}

declare module "*/validators/prices.js" {
  export const validate: ValidatorOf<import("#records/money/price-book.ts").RawPriceFile>;
}

declare module "*/validators/profile.js" {
  export const validate: ValidatorOf<import("#lock/profile.ts").Profile>;
}

declare module "*/validators/setup.js" {
  export const validate: ValidatorOf<import("#lock/setup-report.ts").SetupReport>;
}

declare module "*/validators/imported-record.js" {
  export const conversation: (value: unknown) => boolean;
  export const turn: (value: unknown) => boolean;
  export const imported_call: (value: unknown) => boolean;
  export const tool_list: (value: unknown) => boolean;
}

declare module "*/validators/record.js" {
  type Validate = (value: unknown) => boolean;
  export const session: Validate;
  export const definitions: Validate;
  export const call: Validate;
  export const protocol: Validate;
  export const breach: Validate;
  export const alert: Validate;
  export const fault: Validate;
  export const end: Validate;
}

declare module "*.lua" {
  const text: string;
  export default text;
}

declare module "*.bash" {
  const text: string;
  export default text;
}

declare module "*.fish" {
  const text: string;
  export default text;
}

declare module "*.zsh" {
  const text: string;
  export default text;
}
