//! Enumerations whose values have a name in arguments and files: the same for display, parsing and error messages.

/// Gives an enumeration `Display`, `FromStr` (an error lists the names) and `ALL`.
macro_rules! named {
    ($type:ident, $what:literal, { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $(Self::$variant => $name),+
                })
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::error::Error;

            fn from_str(text: &str) -> $crate::error::Result<Self> {
                match text {
                    $($name => Ok(Self::$variant),)+
                    _ => Err($crate::error::Error::input(
                        format!("{text:?} is not {}", $what),
                        $crate::error::instead(text, Self::ALL),
                    )),
                }
            }
        }
    };
}

pub(crate) use named;
