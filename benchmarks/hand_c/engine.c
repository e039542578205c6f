/* For the King (and Me) as one would write it by hand in C, to compare with what plays from the spec.

   Playouts of uniformly random players only, under the ruling that players cannot bid more
   than they can pay; all other rulings are the spec's own. Game for game the same as rulespec.engine.states.playout: the same
   random numbers are drawn in the same order for the same choices.

   Cards with the same face are equivalent, so a card is the number of its face here: first the government
   cards, of which there is one each, letters rising within an office; then king cards, then gold. All faces fit into
   the bits of one word, so what may be chosen is a set: of faces, of places for a card, of ways to move a primary
   duty. Legal actions rise as the bits of their set do. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { MOST_PLAYERS = 5, MOST_OFFICES = 6, MOST_CARDS = 108 };
enum { START = 3, LEAST = 1, MOST = 6 }; /* of a primary duty */
enum { NOBODY = -1 };

typedef uint64_t Set;

/* cards */

enum { FIRST_KING = 54, FIRST_GOLD = 60, FACES = 63 };

#define ONE_BIT(card) ((Set)1 << (card))
#define SPAN(first, count) ((((Set)1 << (count)) - 1) << (first))

static const Set ALL_GOLD = SPAN(FIRST_GOLD, 3);
static const uint8_t GOLD_VALUE[FACES] = {[FIRST_GOLD] = 1, 2, 3};

/* The government cards of every office, in the order of the last tie-break, and those of every value. */
enum { DIPLOMACY, ENTERTAINMENT, LIVESTOCK, ARCHITECTURE, MILITARY, PROVISIONS };
static const Set OFFICE[MOST_OFFICES] = {
    [DIPLOMACY] = SPAN(0, 4) | SPAN(8, 3) | SPAN(14, 2), [ENTERTAINMENT] = SPAN(4, 4) | SPAN(11, 3) | SPAN(16, 2),
    [LIVESTOCK] = SPAN(18, 7) | SPAN(39, 2),             [ARCHITECTURE] = SPAN(25, 7) | SPAN(41, 2),
    [MILITARY] = SPAN(32, 7) | SPAN(43, 2),              [PROVISIONS] = SPAN(45, 9),
};
static const Set VALUE_1 = SPAN(18, 21) | SPAN(45, 7), VALUE_2 = SPAN(0, 8) | SPAN(39, 6) | SPAN(52, 2),
                 VALUE_3 = SPAN(8, 6), VALUE_4 = SPAN(14, 4);

/* The arrows of the king cards: which ways the first and the second duty may move. */
enum { NO_WAY = 0, PLUS = 1, MINUS = 2, EITHER = PLUS | MINUS };
static const struct {
    uint8_t first, second;
} KING[FIRST_GOLD - FIRST_KING] = {{PLUS, NO_WAY}, {MINUS, NO_WAY},  {PLUS, PLUS},
                                   {MINUS, MINUS}, {EITHER, NO_WAY}, {PLUS, MINUS}};

/* The kings and the gold in the order of the deck, and for how many players at least. */
static const struct {
    uint8_t face, copies, players;
} KINGS_AND_GOLD[] = {
    {54, 2, 0}, {55, 2, 0}, {54, 1, 5}, {55, 1, 5}, {56, 2, 0}, {56, 1, 5}, {57, 2, 0}, {57, 1, 5},
    {58, 1, 0}, {59, 1, 0}, {59, 1, 5}, {60, 9, 0}, {61, 9, 0}, {62, 9, 0}, {60, 1, 3}, {61, 1, 3},
    {62, 1, 3}, {60, 1, 4}, {61, 1, 4}, {62, 1, 4}, {60, 2, 5}, {61, 2, 5}, {62, 2, 5},
};
static const int REMOVED[MOST_PLAYERS + 1] = {[2] = 22, [3] = 13, [4] = 8, [5] = 0}; /* taken out unseen */

INLINE bool is_king(int card) { return card >= FIRST_KING && card < FIRST_GOLD; }
INLINE bool is_gold(int card) { return card >= FIRST_GOLD; }

/* sets */

INLINE int size_of(Set set) { return __builtin_popcountll(set); }
INLINE int first_of(Set set) { return __builtin_ctzll(set); }

/* The member with n members before it. */
INLINE int member(Set set, int n) {
#ifdef __BMI2__
    return first_of(__builtin_ia32_pdep_di((Set)1 << n, set));
#else
    for (; n > 0; n--) set &= set - 1;
    return first_of(set);
#endif
}

/* random numbers: SplitMix64 */

static const uint64_t GAMMA = 0x9E3779B97F4A7C15;

INLINE uint64_t mixed(uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

/* A number below the bound, each as likely. */
INLINE uint32_t below(uint64_t *state, uint32_t bound) {
    for (;;) {
        *state += GAMMA;
        uint64_t product = (mixed(*state) >> 32) * bound;
        uint32_t low = (uint32_t)product;
        if (__builtin_expect(low >= bound, 1) || low >= -bound % bound) return (uint32_t)(product >> 32);
    }
}

INLINE void shuffle(uint8_t *cards, int count, uint64_t *state) {
    for (int last = count - 1; last > 0; last--) {
        uint32_t other = below(state, (uint32_t)last + 1);
        uint8_t card = cards[last];
        cards[last] = cards[other];
        cards[other] = card;
    }
}

/* the game */

typedef struct {
    uint64_t chooser; /* the generator's state for all choices */
    int decisions;
    int8_t esteem[MOST_OFFICES];
    /* Of a hand, which is at first the personal deck: the value of its gold, the number of its cards; the faces that
       are there, and how many there are of each. */
    int wealth[MOST_PLAYERS], size[MOST_PLAYERS];
    Set faces[MOST_PLAYERS];
    uint8_t copies[MOST_PLAYERS][FACES];
} Game;

INLINE int left_of(int player, const int players) { return player + 1 == players ? 0 : player + 1; }

/* One of so many legal actions, counted from 0. */
INLINE int choose(Game *g, int actions) {
    g->decisions++;
    return (int)below(&g->chooser, (uint32_t)actions);
}

INLINE int choose_from(Game *g, Set set) { return member(set, choose(g, size_of(set))); }

INLINE void take(Game *g, int player, int card) {
    g->faces[player] |= ONE_BIT(card);
    g->copies[player][card]++;
    g->size[player]++;
    g->wealth[player] += GOLD_VALUE[card];
}

INLINE void lose(Game *g, int player, int card) {
    bool last = --g->copies[player][card] == 0;
    g->faces[player] &= ~((Set)last << card);
    g->size[player]--;
    g->wealth[player] -= GOLD_VALUE[card];
}

/* Moves of primary duties: for every office one up and one down. */
#define UP(office) ((Set)1 << 2 * (office))
#define DOWN(office) ((Set)2 << 2 * (office))
INLINE Set same_office(int move) { return UP(move / 2) | DOWN(move / 2); }

INLINE Set possible_moves(const Game *g, const int offices, int ways) {
    Set up = 0, down = 0;
    for (int office = 0; office < offices; office++) {
        up |= g->esteem[office] < MOST ? UP(office) : 0;
        down |= g->esteem[office] > LEAST ? DOWN(office) : 0;
    }
    return (ways & PLUS ? up : 0) | (ways & MINUS ? down : 0);
}

INLINE int move_duty(Game *g, Set moves) {
    int move = choose_from(g, moves);
    g->esteem[move / 2] = (int8_t)(g->esteem[move / 2] + (move % 2 ? -1 : 1));
    return move;
}

/* A king card takes effect: it moves one primary duty, or two different ones. */
static __attribute__((noinline)) void king_card(Game *g, const int offices, int card) {
    int first = KING[card - FIRST_KING].first, second = KING[card - FIRST_KING].second;
    Set moves = possible_moves(g, offices, first), turned = 0;
    if (second) {
        /* Both must move where both can: the only one that can move second is then not moved first. */
        Set seconds = possible_moves(g, offices, second);
        if (size_of(seconds) == 1) {
            Set others = moves & ~same_office(first_of(seconds));
            if (others) moves = others;
        }
    }
    if (moves) turned = same_office(move_duty(g, moves));
    if (second) {
        moves = possible_moves(g, offices, second) & ~turned;
        if (moves) move_duty(g, moves);
    }
}

/* What a player gets: a king card takes effect, anything else is kept. */
INLINE void get(Game *g, const int offices, int player, int card) {
    if (is_king(card))
        king_card(g, offices, card);
    else
        take(g, player, card);
}

/* Deals out the whole deck and fills the favour deck; gives the last adviser. */
INLINE int share_out_influence(Game *g, const int players, const int offices, const uint8_t *deck, int top,
                               uint8_t *favour) {
    enum { KEEP, CENTRE, FAVOUR };
    int adviser = players - 1;
    while (top > 0) {
        adviser = left_of(adviser, players);
        uint8_t centre[MOST_PLAYERS];
        int laid = 0;
        Set places = ONE_BIT(KEEP) | ONE_BIT(CENTRE) | ONE_BIT(FAVOUR);
        for (int drawn = 0; drawn <= players; drawn++) {
            int card = deck[--top], place = choose_from(g, places);
            if (place == CENTRE) {
                centre[laid++] = (uint8_t)card;
                if (laid < players - 1) continue;
            } else if (place == FAVOUR)
                *favour++ = (uint8_t)card;
            else
                get(g, offices, adviser, card);
            places &= ~ONE_BIT(place);
        }
        for (int player = left_of(adviser, players); laid > 0; player = left_of(player, players)) {
            Set faces = 0;
            for (int i = 0; i < laid; i++) faces |= ONE_BIT(centre[i]);
            int card = choose_from(g, faces), place = 0;
            for (int i = 1; i < laid; i++) place = centre[i] == card ? i : place;
            centre[place] = centre[--laid];
            get(g, offices, player, card);
        }
    }
    return adviser;
}

/* The winner of the card, or NOBODY, and the price. */
INLINE int auction(Game *g, const int players, const int *means, int opener, int *price) {
    Set bidders = ONE_BIT(players) - 1; /* who has not passed */
    int winner = NOBODY, bidder = opener;
    *price = 0;
    while (size_of(bidders) > 1 || (bidders && winner == NOBODY)) {
        int bids = means[bidder] > *price ? means[bidder] - *price : 0;
        int chosen = choose(g, bids + 1);
        if (chosen < bids) {
            winner = bidder;
            *price += chosen + 1;
        } else { /* to pass is the last action, and for the round */
            bidders &= ~ONE_BIT(bidder);
            if (!bidders) break;
        }
        Set further = bidders & ~(ONE_BIT(bidder + 1) - 1);
        bidder = first_of(further ? further : bidders);
    }
    return winner;
}

/* Auctions the favour deck. No bid exceeds what its bidder can pay, so every winner pays. */
INLINE void gain_esteem(Game *g, const int players, const int offices, const uint8_t *favour, int top, int opener) {
    while (top > 0) {
        int card = favour[--top], price;
        int winner = auction(g, players, is_gold(card) ? g->size : g->wealth, opener, &price);
        opener = left_of(opener, players);
        if (winner == NOBODY) continue;
        if (is_gold(card)) {
            for (; price > 0; price--) lose(g, winner, choose_from(g, g->faces[winner]));
        } else {
            while (price > 0) {
                int gold = choose_from(g, g->faces[winner] & ALL_GOLD);
                lose(g, winner, gold);
                price -= GOLD_VALUE[gold];
            }
        }
        get(g, offices, winner, card);
    }
}

INLINE int influence(Set cards) {
    return size_of(cards & VALUE_1) + 2 * size_of(cards & VALUE_2) + 3 * size_of(cards & VALUE_3) +
           4 * size_of(cards & VALUE_4);
}

/* Most influence takes the primary duty of an office, the next most the secondary one; the letter nearest A, that of
   the lowest face, breaks ties. */
INLINE void award_duties(const Game *g, const int players, const int offices, int *points) {
    for (int office = 0; office < offices; office++) {
        int most = 0, next = 0, primary = NOBODY, secondary = NOBODY;
        for (int player = 0; player < players; player++) {
            Set cards = g->faces[player] & OFFICE[office];
            int claim = cards ? influence(cards) * FACES + FACES - first_of(cards) : 0;
            if (claim > most) {
                next = most, secondary = primary;
                most = claim, primary = player;
            } else if (claim > next) {
                next = claim, secondary = player;
            }
        }
        if (primary != NOBODY) points[primary] += g->esteem[office];
        if (secondary != NOBODY && players > 2) points[secondary] += g->esteem[office] / 2;
    }
}

/* Whether one of two players with as many points ranks before the other: by their gold, then office by office by the
   number of cards and the letter nearest A. */
static bool wins_tie(const Game *g, const int offices, int player, int other) {
    if (g->wealth[player] != g->wealth[other]) return g->wealth[player] > g->wealth[other];
    for (int office = 0; office < offices; office++) {
        Set mine = g->faces[player] & OFFICE[office], theirs = g->faces[other] & OFFICE[office];
        if (size_of(mine) != size_of(theirs)) return size_of(mine) > size_of(theirs);
        if (mine) return first_of(mine) < first_of(theirs);
    }
    return false;
}

INLINE int rank_of(const Game *g, const int players, const int offices, const int *points, int player) {
    int rank = 1;
    for (int other = 0; other < players; other++) {
        if (other == player) continue;
        rank += points[other] == points[player] ? wins_tie(g, offices, other, player) : points[other] > points[player];
    }
    return rank;
}

/* The deck before it is shuffled; gives its size. */
static int lay_out(int players, uint8_t *deck) {
    int size = 0;
    for (int card = 0; card < FIRST_KING; card++)
        if (players == 5 || !(OFFICE[PROVISIONS] & ONE_BIT(card))) deck[size++] = (uint8_t)card;
    for (size_t i = 0; i < sizeof KINGS_AND_GOLD / sizeof *KINGS_AND_GOLD; i++) {
        if (KINGS_AND_GOLD[i].players > players) continue;
        memset(deck + size, KINGS_AND_GOLD[i].face, KINGS_AND_GOLD[i].copies);
        size += KINGS_AND_GOLD[i].copies;
    }
    return size;
}

/* Made for each number of players on its own: `players` is a constant wherever this is called. */
INLINE void play_all(const int players, uint64_t seed, uint64_t first, int64_t count, int64_t *decisions,
                     int64_t *ranks, int64_t *scores) {
    const int offices = players == 5 ? 6 : 5;
    uint8_t whole[MOST_CARDS], deck[MOST_CARDS], favour[MOST_CARDS];
    int size = lay_out(players, whole), dealt = size - REMOVED[players], auctions = dealt / (players + 1);
    for (int64_t number = 0; number < count; number++) {
        uint64_t own = mixed(seed + GAMMA * (first + (uint64_t)number + 1));
        uint64_t dealer = mixed(own + GAMMA);
        Game g = {.chooser = mixed(own + 2 * GAMMA)};
        memset(g.esteem, START, sizeof g.esteem);
        memcpy(deck, whole, sizeof deck);
        shuffle(deck, size, &dealer);
        shuffle(deck, dealt, &dealer); /* without those on top, which are taken out */
        int adviser = share_out_influence(&g, players, offices, deck, dealt, favour);
        shuffle(favour, auctions, &dealer);
        gain_esteem(&g, players, offices, favour, auctions, left_of(adviser, players));
        int points[MOST_PLAYERS] = {0};
        award_duties(&g, players, offices, points);
        decisions[number] = g.decisions;
        for (int player = 0; player < players; player++) {
            ranks[player * count + number] = rank_of(&g, players, offices, points, player);
            scores[player * count + number] = points[player];
        }
    }
}

/* Plays `count` games of a seed, from number `first` on. Fills columns with an entry for every game: one of decisions,
   and for every player one after the other one of ranks and one of scores. Says whether there is a game for so many. */
bool play(int players, uint64_t seed, uint64_t first, int64_t count, int64_t *decisions, int64_t *ranks,
          int64_t *scores) {
    switch (players) {
    case 2: play_all(2, seed, first, count, decisions, ranks, scores); return true;
    case 3: play_all(3, seed, first, count, decisions, ranks, scores); return true;
    case 4: play_all(4, seed, first, count, decisions, ranks, scores); return true;
    case 5: play_all(5, seed, first, count, decisions, ranks, scores); return true;
    default: return false;
    }
}

/* Draws numbers below a bound, to test what hardly ever happens in a game: that one is drawn again. */
void draw(uint64_t state, uint32_t bound, int64_t count, uint32_t *numbers) {
    for (int64_t i = 0; i < count; i++) numbers[i] = below(&state, bound);
}
